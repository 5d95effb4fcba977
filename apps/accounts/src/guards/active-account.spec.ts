import { describe, expect, it, jest } from '@jest/globals';
import { lastValueFrom, of } from 'rxjs';
import { guardContext } from '../test-support/guard-context.js';
import { ActiveAccountInterceptor } from './active-account.interceptor.js';
import { type Caller, setVerifiedCaller } from './caller.js';

function intercept(caller: object | undefined) {
  const { request, context } = guardContext();
  if (caller !== undefined) setVerifiedCaller(request, caller as Caller);
  const handle = jest.fn(() => of('changed'));
  const result = lastValueFrom(new ActiveAccountInterceptor().intercept(context, { handle }));
  return { handle, result };
}

describe('ActiveAccountInterceptor', () => {
  it('lets an active account change something', async () => {
    const { result } = intercept({ kind: 'session', account: { suspendedAt: null } });
    expect(await result).toBe('changed');
  });

  it('refuses a suspended account with 403 before the handler runs', async () => {
    const { result, handle } = intercept({ kind: 'session', account: { suspendedAt: new Date() } });
    await expect(result).rejects.toMatchObject({ code: 'permission_denied', message: 'This account is suspended.' });
    expect(handle).not.toHaveBeenCalled();
  });

  it.each([undefined, { kind: 'administrator' }, { kind: 'key', account: { suspendedAt: null } }])(
    'fails for the caller %j, which no SessionGuard has verified',
    async (caller) => {
      const { result, handle } = intercept(caller);
      await expect(result).rejects.toThrow('the route must have SessionGuard');
      expect(handle).not.toHaveBeenCalled();
    },
  );
});
