import { GatewayError } from '@gateway/contracts';
import { describe, expect, it, jest } from '@jest/globals';
import type { Sessions } from '../sessions/sessions.service.js';
import { guardContext } from '../test-support/guard-context.js';
import { isTestCaller, requireAccountCaller, verifiedCallerOf } from './caller.js';
import { KeyGuard } from './key.guard.js';

const account = { id: 'acct_a' };
const session = { account, tokenSha256: 'a'.repeat(64) };

function setUp(findKeyHolder: () => Promise<unknown>) {
  const requireMember = jest.fn(async () => session);
  return { requireMember, guard: new KeyGuard({ findKeyHolder, requireMember } as unknown as Sessions) };
}

describe('KeyGuard', () => {
  it.each([true, false])('admits an API key without reading sessions (test key: %s)', async (isTest) => {
    const { guard, requireMember } = setUp(async () => ({ account, key: { isTest } }));
    const { request, context } = guardContext();
    expect(await guard.canActivate(context)).toBe(true);
    expect(verifiedCallerOf(request)).toEqual({ kind: 'key', account, key: { isTest } });
    expect(isTestCaller(requireAccountCaller(request))).toBe(isTest);
    expect(requireMember).not.toHaveBeenCalled();
  });

  it('admits a session where the request shows no API key', async () => {
    const { guard } = setUp(async () => null);
    const { request, context } = guardContext();
    expect(await guard.canActivate(context)).toBe(true);
    expect(verifiedCallerOf(request)).toEqual({ kind: 'session', ...session });
    expect(isTestCaller(requireAccountCaller(request))).toBe(false);
  });

  it('does not fall back to a session when the API key is not valid', async () => {
    const refused = new GatewayError('invalid_api_key', 'Log in first.');
    const { guard, requireMember } = setUp(() => Promise.reject(refused));
    const { request, context } = guardContext();
    await expect(guard.canActivate(context)).rejects.toBe(refused);
    expect(requireMember).not.toHaveBeenCalled();
    expect(verifiedCallerOf(request)).toBeUndefined();
  });
});
