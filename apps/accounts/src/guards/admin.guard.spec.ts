import { MachineToken } from '@gateway/json-service';
import { describe, expect, it } from '@jest/globals';
import { guardContext } from '../test-support/guard-context.js';
import { AdminGuard } from './admin.guard.js';
import { verifiedCallerOf } from './caller.js';

const guard = new AdminGuard(new MachineToken(['admin-token']));

describe('AdminGuard', () => {
  it('admits the administrator and remembers the caller', () => {
    const { request, context } = guardContext({ authorization: 'Bearer admin-token' });
    expect(guard.canActivate(context)).toBe(true);
    expect(verifiedCallerOf(request)).toEqual({ kind: 'administrator', name: null });
  });

  it.each([
    {},
    { authorization: 'Bearer edge-token' },
    { authorization: 'Bearer sess_x' },
    { authorization: 'admin-token' },
  ])('refuses %j with the same 401', (headers) => {
    const { request, context } = guardContext(headers as Record<string, string>);
    expect(() => guard.canActivate(context)).toThrow(
      expect.objectContaining({
        code: 'invalid_api_key',
        message: 'Authorization: expected `Bearer <token>` with a valid token.',
      }),
    );
    expect(verifiedCallerOf(request)).toBeUndefined();
  });
});
