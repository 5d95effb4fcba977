import type { MemberRole } from '@gateway/contracts';
import { accessTable, requireAccessRule } from '@gateway/json-service';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { CONTROLLERS } from '../app.module.js';
import { AUDIT_ACTIONS } from '../audit/audit-actions.js';
import { AllowAdmin, AllowSession } from './access.js';
import { PUBLIC_ROUTES } from './public-routes.js';

const ADMIN = 'AdminGuard';
/** An answer that the operators' pages follow. */
const FOLLOWED = 'AdminGuard, FollowAnswers';
const PERSON = 'PersonGuard';
/** A member with at least this role. */
const session = (least: MemberRole) => `SessionGuard, ${least}`;
const active = (least: MemberRole) => `SessionGuard, ${least}, ActiveAccountInterceptor`;
/** Any key, or such a member. */
const key = (least: MemberRole) => `KeyGuard, ${least}`;
/** A key that reads the account, or such a member. */
const reader = (least: MemberRole) => `AccountReadGuard, ${least}`;
const PUBLIC = '';

/** Who may call what. A change here is a change of the service's security: review it as one. */
const EXPECTED = {
  'POST /account/register': PUBLIC,
  'POST /account/login': PUBLIC,
  'POST /account/logout': PUBLIC,
  'GET /account/settings': session('viewer'),
  'PATCH /account/settings': active('owner'),
  'GET /account/storage': reader('viewer'),
  'PATCH /account/storage': active('owner'),
  'GET /account/session': PERSON,
  'GET /account/person': PERSON,
  'PATCH /account/person': PERSON,
  'POST /account/password': PERSON,
  'POST /account/person/confirmation': PERSON,
  'POST /account/person/email': PERSON,
  'POST /account/confirmations': PUBLIC,
  'POST /account/password-resets': PUBLIC,
  'POST /account/password-resets/complete': PUBLIC,
  'POST /account/invitations': active('owner'),
  'GET /account/invitations': session('owner'),
  'POST /account/invitations/:id/resend': active('owner'),
  'DELETE /account/invitations/:id': session('owner'),
  'POST /account/invitations/find': PUBLIC,
  'POST /account/invitations/accept': PUBLIC,
  'PATCH /account/members/:id': active('owner'),
  'DELETE /account/members/:id': session('viewer'),
  'GET /account/sessions': PERSON,
  'DELETE /account/sessions': PERSON,
  'DELETE /account/sessions/:id': PERSON,
  'GET /account/organisations': PERSON,
  'POST /account/organisations': PERSON,
  'POST /account/organisations/:id/choose': PERSON,
  'DELETE /account/organisations/:id': session('owner'),
  'GET /account/members': session('viewer'),
  'GET /account/models': reader('viewer'),
  'GET /account/models/health': reader('viewer'),
  'GET /account/usage/repriced': reader('viewer'),
  'GET /account/refusals': reader('viewer'),
  'GET /account/tasks': reader('viewer'),
  'GET /account/tasks/:id': reader('viewer'),
  'POST /account/tasks/:id/cancel': session('developer'),
  'DELETE /account/tasks/:id/media': session('developer'),
  'GET /account/files': reader('viewer'),
  'DELETE /account/files/:id': session('developer'),
  'GET /account/batches': reader('viewer'),
  'POST /account/batches/:id/cancel': session('developer'),
  'GET /account/kept-requests': reader('viewer'),
  'POST /account/kept-requests/:id/cancel': session('developer'),
  'POST /account/keys': active('developer'),
  'GET /account/keys': session('developer'),
  'PATCH /account/keys/:id': active('developer'),
  'DELETE /account/keys/:id': session('developer'),
  'POST /account/keys/:id/children': key('developer'),
  'DELETE /account/keys/:id/children/:childId': key('developer'),
  'GET /account/keys/:id/tree': key('developer'),
  'POST /account/keys/:id/rotate': active('developer'),
  'GET /account/balance': key('viewer'),
  'GET /account/ledger': reader('billing'),
  'GET /account/usage': reader('viewer'),
  'GET /account/statements': reader('billing'),
  'GET /account/statements/:month': reader('billing'),
  'GET /account/requests': key('viewer'),
  'GET /account/requests/:requestId': key('viewer'),
  'GET /account/requests/:requestId/contents': session('developer'),
  'POST /account/quote': key('viewer'),
  'POST /account/webhook-endpoints': active('developer'),
  'GET /account/webhook-endpoints': reader('viewer'),
  'GET /account/webhook-endpoints/:id': reader('viewer'),
  'PATCH /account/webhook-endpoints/:id': active('developer'),
  'DELETE /account/webhook-endpoints/:id': session('developer'),
  'POST /account/webhook-endpoints/:id/test': active('developer'),
  'GET /account/webhook-deliveries': reader('viewer'),
  'GET /account/webhook-deliveries/:id': reader('viewer'),
  'POST /account/webhook-deliveries/replay': active('developer'),
  'POST /account/webhook-deliveries/:id/replay': active('developer'),
  'GET /account/webhook-secret': reader('developer'),
  'POST /account/webhook-secret/rotate': active('developer'),
  'GET /account/events': reader('viewer'),
  'GET /account/stream': reader('viewer'),
  'GET /account/audit': session('owner'),
  'GET /admin/accounts': FOLLOWED,
  'GET /admin/accounts/:id': FOLLOWED,
  'PATCH /admin/accounts/:id': ADMIN,
  'POST /admin/accounts/:id/credits': ADMIN,
  'POST /admin/accounts/:id/reversals': ADMIN,
  'GET /admin/accounts/:id/prices': ADMIN,
  'POST /admin/accounts/:id/prices': ADMIN,
  'POST /admin/accounts/:id/webhook-deliveries/replay': ADMIN,
  'GET /admin/accounts/:id/requests/:requestId': ADMIN,
  'GET /admin/audit': FOLLOWED,
  'GET /admin/reconciliation': FOLLOWED,
  'GET /admin/margin': ADMIN,
  'GET /admin/queue-depths': FOLLOWED,
  'GET /admin/tasks': FOLLOWED,
  'GET /admin/webhook-endpoints': FOLLOWED,
  'GET /admin/findings/:kind': FOLLOWED,
  'GET /admin/alerts': FOLLOWED,
  'GET /admin/runbooks/:name': ADMIN,
  'GET /admin/system': FOLLOWED,
  'DELETE /admin/account-views/current': ADMIN,
  'POST /admin/vendor-bills': ADMIN,
  'GET /admin/vendor-bills': FOLLOWED,
  'GET /admin/vendor-bills/:id': ADMIN,
  'GET /admin/vendor-bills/:id/items': ADMIN,
  'GET /admin/administrators': FOLLOWED,
  'POST /admin/administrators': ADMIN,
  'DELETE /admin/administrators/:id': ADMIN,
  'POST /admin/accounts/:id/views': ADMIN,
  'GET /admin/channels': FOLLOWED,
  'GET /admin/channels/:id': ADMIN,
  'PATCH /admin/channels/:id': ADMIN,
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

@AllowSession('viewer')
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
