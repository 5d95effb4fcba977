import { describe, expect, it } from '@jest/globals';
import { capCountersOf } from './cap-counters.js';
import type { CappedPeriod } from './caps.js';

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

describe('capCountersOf', () => {
  it('is the current period with what is booked', () => {
    const booked = { requests: '4', tokens: '50', usd: '600' };
    expect(capCountersOf({ isTest: false, cappedPeriods: [day] }, 1_999)).toEqual([
      { name: 'key_a:day:1000', endsAtMs: 2_000, version: '7', booked, limits: { usd: '900' } },
    ]);
  });

  it('is the next period, with nothing booked, from the first millisecond after the end', () => {
    const booked = { requests: '0', tokens: '0', usd: '0' };
    expect(capCountersOf({ isTest: false, cappedPeriods: [day] }, 2_000)).toEqual([
      { name: 'key_a:day:2000', endsAtMs: 3_000, version: '0', booked, limits: { usd: '900' } },
    ]);
  });

  it('is the same for a life, which never ends', () => {
    const life = { ...day, period: 'life', startsAtMs: 0, endsAtMs: null, nextEndsAtMs: null } as const;
    expect(capCountersOf({ isTest: false, cappedPeriods: [life] }, 9e12)).toMatchObject([{ name: 'key_a:life:0' }]);
  });

  it('is nothing for a test key and a key without caps', () => {
    expect(capCountersOf({ isTest: true, cappedPeriods: [day] }, 1_500)).toBeUndefined();
    expect(capCountersOf({ isTest: false }, 1_500)).toBeUndefined();
  });
});
