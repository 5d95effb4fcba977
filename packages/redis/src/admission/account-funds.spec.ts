import { describe, expect, it } from '@jest/globals';
import { readAccountFunds } from './account-funds.js';

describe('the funds of an account', () => {
  it('are its reserve and its block; a hold is balance, but not spendable', () => {
    expect(readAccountFunds(['5', '3', '2'])).toEqual({ spendableNanoUsd: 8n, balanceNanoUsd: 10n });
    expect(readAccountFunds(['-5', null, null])).toEqual({ spendableNanoUsd: -5n, balanceNanoUsd: -5n });
  });

  it('are unknown without a reserve', () => {
    expect(readAccountFunds([null, '3', '2'])).toBeNull();
  });
});
