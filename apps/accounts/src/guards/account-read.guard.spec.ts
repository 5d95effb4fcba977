import { describe, expect, it } from '@jest/globals';
import type { Sessions } from '../sessions/sessions.service.js';
import { guardContext } from '../test-support/guard-context.js';
import { AccountReadGuard } from './account-read.guard.js';

const account = { id: 'acct_a' };

const guardOf = (keyHolder: object | null) =>
  new AccountReadGuard({
    findKeyHolder: async () => keyHolder,
    requireMember: async () => ({ account, tokenSha256: 'a' }),
  } as unknown as Sessions);

describe('AccountReadGuard', () => {
  it.each([
    ['a session', null],
    ['a key with the scope', { account, key: { scopes: ['account:read'] } }],
  ])('admits %s', async (_, keyHolder) => {
    expect(await guardOf(keyHolder).canActivate(guardContext().context)).toBe(true);
  });

  it('refuses a key without the scope with 403', async () => {
    const refused = guardOf({ account, key: { scopes: [] } }).canActivate(guardContext().context);
    await expect(refused).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
