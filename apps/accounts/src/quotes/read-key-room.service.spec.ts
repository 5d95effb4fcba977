import { type CappedPeriod, newKeyId, type SpendCap } from '@gateway/contracts';
import type { SpendingState } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { type KeyLimits, ReadKeyRoom } from './read-key-room.service.js';

const NOW_MS = 1_500;
const cap: SpendCap = { spendingKeyId: newKeyId(), spentNanoUsd: '300', version: '2', capNanoUsd: '1000' };
const NOTHING: SpendingState = { spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 0n };
const day: CappedPeriod = {
  ownerId: 'key_a',
  period: 'day',
  startsAtMs: 1_000,
  endsAtMs: 2_000,
  nextEndsAtMs: 3_000,
  requests: '4',
  tokens: '50',
  cost: '600',
  version: '7',
  caps: [{ measure: 'usd', limit: '900', hard: true }],
};

function roomOf(
  limits: Partial<KeyLimits> | null,
  { spending = NOTHING, counters = {} }: { spending?: SpendingState; counters?: Record<string, object> } = {},
) {
  const room = new ReadKeyRoom({
    readSpending: async () => spending,
    readCapCounter: async (_accountId, name) => ({ ...counters[name] }),
  });
  return room.read('acct_a', limits && { spendCap: null, isTest: false, ...limits }, NOW_MS);
}

describe('ReadKeyRoom', () => {
  it.each<[string, SpendingState, bigint]>([
    ['what is booked, settled and held', { spentNanoUsd: 400n, unsettledNanoUsd: 50n, heldNanoUsd: 100n }, 450n],
    ['the booked amount of the record where Redis has none', { ...NOTHING, heldNanoUsd: 800n }, -100n],
  ])('subtracts %s from a spend cap', async (_what, spending, nanoUsd) => {
    expect(await roomOf({ spendCap: cap }, { spending })).toEqual({ nanoUsd, tokens: null, requests: null });
  });

  it('subtracts what is booked and open from caps by period, and takes the tightest', async () => {
    const month: CappedPeriod = {
      ...day,
      ownerId: 'acct_a',
      period: 'month',
      caps: [
        { measure: 'usd', limit: '700', hard: true },
        { measure: 'tokens', limit: '80', hard: true },
        { measure: 'requests', limit: '4', hard: true },
      ],
    };
    const counters = {
      'key_a:day:1000': { version: '6', cost: '1', openCost: '20' },
      'acct_a:month:1000': { version: '8', cost: '610', tokens: '60', requests: '5', openCost: '30', openTokens: '7' },
    };
    expect(await roomOf({ cappedPeriods: [day] }, { counters })).toMatchObject({ nanoUsd: 280n });
    expect(await roomOf({ spendCap: cap, cappedPeriods: [day, month] }, { counters })).toEqual({
      nanoUsd: 60n,
      tokens: 13n,
      requests: -1n,
    });
  });

  it.each([
    ['a person', null],
    ['a key without caps', {}],
    ['a test key', { isTest: true, spendCap: cap, cappedPeriods: [day] }],
  ])('leaves %s its balance', async (_who, limits) => {
    expect(await roomOf(limits)).toEqual({ nanoUsd: null, tokens: null, requests: null });
  });
});
