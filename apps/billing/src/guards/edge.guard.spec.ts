import { describe, expect, it } from '@jest/globals';
import { guardContext } from '../test-support/guard-context.js';
import { verifiedCallerOf } from './caller.js';
import { EdgeGuard } from './edge.guard.js';
import { MachineTokens } from './machine-tokens.service.js';

const guard = new EdgeGuard(new MachineTokens({ internalTokens: ['new', 'old'], adminToken: 'admin-token' }));

describe('EdgeGuard', () => {
  it.each(['new', 'old'])('admits an edge with the token %s', (token) => {
    const { request, context } = guardContext({ authorization: `Bearer ${token}` });
    expect(guard.canActivate(context)).toBe(true);
    expect(verifiedCallerOf(request)).toEqual({ kind: 'edge' });
  });

  it.each([{}, { authorization: 'Bearer admin-token' }, { authorization: 'Bearer new,old' }])(
    'refuses %j with 401',
    (headers) => {
      const { request, context } = guardContext(headers as Record<string, string>);
      expect(() => guard.canActivate(context)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
      expect(verifiedCallerOf(request)).toBeUndefined();
    },
  );
});
