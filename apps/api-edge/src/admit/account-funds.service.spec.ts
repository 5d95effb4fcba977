import { GatewayError, newAccountId } from '@gateway/contracts';
import type { AccountFundsRecord } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { AccountFunds } from './account-funds.service.js';
import { Escrow } from './escrow.service.js';

const accountId = newAccountId();
const funds = (balanceNanoUsd: bigint, spendableNanoUsd = balanceNanoUsd): AccountFundsRecord => ({
  balanceNanoUsd,
  spendableNanoUsd,
});

/** Redis and billing that reply as given, and the number of calls of each. */
function opened(
  inRedis: AccountFundsRecord | null | Error,
  ledger: unknown = { granted: false, availableNanoUsd: '0' },
) {
  const calls = { redis: 0, billing: 0 };
  const reply = async <Value>(value: Value | Error): Promise<Value> => {
    if (value instanceof Error) throw value;
    return value;
  };
  const readFunds = () => {
    calls.redis += 1;
    return reply(inRedis);
  };
  const post = () => {
    calls.billing += 1;
    return reply(ledger);
  };
  return { calls, funds: new AccountFunds({ readFunds }, new Escrow({ post })) };
}

describe('an account', () => {
  it.each([
    ['with money', funds(5n), true],
    ['whose money is held', funds(5n, 0n), false],
    ['in debt', funds(-1n), false],
  ])('%s may spend or not by what Redis knows', async (_which, known, maySpend) => {
    const { funds: account, calls } = opened(known);
    expect(await account.maySpend({ accountId, isTest: false })).toBe(maySpend);
    expect(await account.maySpend({ accountId, isTest: false })).toBe(maySpend);
    expect([await account.balance(accountId), calls.billing]).toEqual([known.balanceNanoUsd, 0]);
    expect(calls.redis).toBe(2);
  });

  it('that Redis does not know is decided by the ledger, once for concurrent requests', async () => {
    const { funds: account, calls } = opened(null);
    const asked = await Promise.all([1, 2, 3].map(() => account.maySpend({ accountId, isTest: false })));
    expect([asked, calls]).toEqual([[false, false, false], { redis: 1, billing: 1 }]);
    expect(await account.balance(accountId)).toBeNull();
    const granted = opened(null, { granted: true, amountNanoUsd: '5' });
    expect(await granted.funds.maySpend({ accountId, isTest: false })).toBe(true);
  });

  it('may send while Redis is away, which is no reason to take a block of its money', async () => {
    const away = opened(new Error('away'));
    expect(await away.funds.maySpend({ accountId, isTest: false })).toBe(true);
    expect([await away.funds.balance(accountId), away.calls.billing]).toEqual([null, 0]);
  });

  it('may send while billing is away or slow, and with a test key', async () => {
    const away = opened(null, new GatewayError('service_unavailable', 'away'));
    expect(await away.funds.maySpend({ accountId, isTest: false })).toBe(true);
    const slow = opened(null, new Promise(() => undefined));
    expect(await slow.funds.maySpend({ accountId, isTest: false })).toBe(true);
    const poor = opened(funds(0n));
    expect([await poor.funds.maySpend({ accountId, isTest: true }), poor.calls.redis]).toEqual([true, 0]);
  });
});
