import { GatewayError } from '@gateway/contracts';
import { MachineToken } from '@gateway/json-service';
import type { Database } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { Administrators } from '../sessions/administrators.service.js';
import type { Sessions } from '../sessions/sessions.service.js';
import { guardContext } from '../test-support/guard-context.js';
import { AdminGuard } from './admin.guard.js';
import { verifiedCallerOf } from './caller.js';

const database = { prisma: { administrator: { findFirst: async () => null } } } as unknown as Database;
const sessions = {
  requireSession: () => Promise.reject(new GatewayError('invalid_api_key', 'Log in first.')),
} as unknown as Sessions;
const guard = new AdminGuard(new Administrators(new MachineToken(['admin-token']), database, sessions));

describe('AdminGuard', () => {
  it('admits the administrator and remembers the caller', async () => {
    const { request, context } = guardContext({ authorization: 'Bearer admin-token' });
    expect(await guard.canActivate(context)).toBe(true);
    expect(verifiedCallerOf(request)).toEqual({ kind: 'administrator', name: null });
  });

  it.each([
    {},
    { authorization: 'Bearer edge-token' },
    { authorization: 'Bearer sess_x' },
    { authorization: `Bearer admin_${'x'.repeat(43)}` },
    { authorization: 'admin-token' },
  ])('refuses %j with the same 401', async (headers) => {
    const { request, context } = guardContext(headers as Record<string, string>);
    await expect(guard.canActivate(context)).rejects.toMatchObject({
      code: 'invalid_api_key',
      message: 'Authorization: expected `Bearer <token>` with a valid token.',
    });
    expect(verifiedCallerOf(request)).toBeUndefined();
  });
});
