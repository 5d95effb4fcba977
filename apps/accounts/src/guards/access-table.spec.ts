import { accessTable, requireAccessRule } from '@gateway/json-service';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { CONTROLLERS } from '../app.module.js';
import { AUDIT_ACTIONS } from '../audit/audit-actions.js';
import { AllowAdmin, AllowSession } from './access.js';
import { PUBLIC_ROUTES } from './public-routes.js';

const ADMIN = 'AdminGuard';
const SESSION = 'SessionGuard';
const ACTIVE = 'SessionGuard, ActiveAccountInterceptor';
const KEY = 'KeyGuard';
const READER = 'AccountReadGuard';
const PUBLIC = '';

/** Who may call what. A change here is a change of the service's security: review it as one. */
const EXPECTED = {
  'POST /account/register': PUBLIC,
  'POST /account/login': PUBLIC,
  'POST /account/logout': PUBLIC,
  'GET /account/settings': SESSION,
  'PATCH /account/settings': ACTIVE,
  'POST /account/password': SESSION,
  'POST /account/keys': ACTIVE,
  'GET /account/keys': SESSION,
  'PATCH /account/keys/:id': ACTIVE,
  'DELETE /account/keys/:id': SESSION,
  'POST /account/keys/:id/rotate': ACTIVE,
  'GET /account/balance': KEY,
  'GET /account/ledger': READER,
  'GET /account/usage': READER,
  'GET /account/requests': KEY,
  'GET /account/requests/:requestId': KEY,
  'POST /account/quote': KEY,
  'POST /account/webhook-endpoints': ACTIVE,
  'GET /account/webhook-endpoints': READER,
  'GET /account/webhook-endpoints/:id': READER,
  'PATCH /account/webhook-endpoints/:id': ACTIVE,
  'DELETE /account/webhook-endpoints/:id': SESSION,
  'POST /account/webhook-endpoints/:id/test': ACTIVE,
  'GET /account/webhook-deliveries': READER,
  'GET /account/webhook-deliveries/:id': READER,
  'POST /account/webhook-deliveries/replay': ACTIVE,
  'POST /account/webhook-deliveries/:id/replay': ACTIVE,
  'GET /account/webhook-secret': READER,
  'POST /account/webhook-secret/rotate': ACTIVE,
  'GET /account/events': READER,
  'GET /account/events/stream': READER,
  'GET /account/audit': SESSION,
  'GET /admin/accounts': ADMIN,
  'GET /admin/accounts/:id': ADMIN,
  'PATCH /admin/accounts/:id': ADMIN,
  'POST /admin/accounts/:id/credits': ADMIN,
  'POST /admin/accounts/:id/reversals': ADMIN,
  'GET /admin/accounts/:id/prices': ADMIN,
  'POST /admin/accounts/:id/prices': ADMIN,
  'POST /admin/accounts/:id/webhook-deliveries/replay': ADMIN,
  'GET /admin/accounts/:id/requests/:requestId': ADMIN,
  'GET /admin/audit': ADMIN,
  'GET /admin/reconciliation': ADMIN,
  'GET /admin/margin': ADMIN,
};

const table = accessTable(CONTROLLERS);

describe('the access table', () => {
  it('names the callers of every route of the app', () => {
    expect(Object.fromEntries(table.map(({ route, access }) => [route, access.join(', ')]))).toEqual(EXPECTED);
  });

  it('has a guard or a line in PUBLIC_ROUTES for every route', () => {
    const open = table.filter(({ route, access }) => access.length === 0 && !PUBLIC_ROUTES.has(route));
    expect(open).toEqual([]);
  });

  it('has no guard on a public route', () => {
    expect(table.filter(({ route, access }) => access.length > 0 && PUBLIC_ROUTES.has(route))).toEqual([]);
  });

  it('contains every route of the audit log', () => {
    expect(table.map(({ route }) => route)).toEqual(expect.arrayContaining(Object.keys(AUDIT_ACTIONS)));
  });
});

@Controller('planted')
class PlantedController {
  @Get()
  open() {
    return null;
  }

  @AllowAdmin()
  @Post(':id/guarded')
  guarded() {
    return null;
  }
}

@AllowSession()
@Controller('class-guarded')
class ClassGuardedController {
  @Get()
  show() {
    return null;
  }
}

describe('requireAccessRule', () => {
  const requireAccess = requireAccessRule([PlantedController, ClassGuardedController], PUBLIC_ROUTES);

  it('throws for a route without a guard', () => {
    expect(() => requireAccess('GET', '/planted')).toThrow('GET /planted has no guard');
    expect(() => requireAccess('HEAD', '/planted')).toThrow('GET /planted has no guard');
  });

  it('throws for a route that no controller declares', () => {
    expect(() => requireAccess('POST', '/planted/:id')).toThrow('POST /planted/:id has no guard');
  });

  it.each([
    ['POST', '/planted/:id/guarded'],
    ['GET', '/class-guarded'],
    ['HEAD', '/class-guarded'],
    ['GET', '/healthz'],
    ['POST', '/account/login'],
  ])('accepts %s %s', (method, path) => {
    expect(() => requireAccess(method, path)).not.toThrow();
  });
});
