import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { Sessions } from '../sessions/sessions.service.js';
import { guardContext } from '../test-support/guard-context.js';
import { verifiedCallerOf } from './caller.js';
import { SessionGuard } from './session.guard.js';

const session = { account: { id: 'acct_a' }, tokenSha256: 'a'.repeat(64) };
const guard = (requireMember: () => Promise<unknown>) => new SessionGuard({ requireMember } as unknown as Sessions);

describe('SessionGuard', () => {
  it('admits a session and remembers its account and token', async () => {
    const { request, context } = guardContext();
    expect(await guard(async () => session).canActivate(context)).toBe(true);
    expect(verifiedCallerOf(request)).toEqual({ kind: 'session', ...session });
  });

  it.each([
    ['a request without a session', new GatewayError('invalid_api_key', 'Log in first.')],
    ['any request while PostgreSQL is down', new Error('Connection terminated unexpectedly')],
  ])('rejects %s with the error of the sessions', async (_what, error) => {
    const { request, context } = guardContext();
    await expect(guard(() => Promise.reject(error)).canActivate(context)).rejects.toBe(error);
    expect(verifiedCallerOf(request)).toBeUndefined();
  });
});
