import { describe, expect, it } from '@jest/globals';
import { QueryLimit } from './query-limit.js';

describe('QueryLimit', () => {
  it('accepts the limit in any second and does not count rejected queries', () => {
    const limit = new QueryLimit(2);
    const times = [0, 500, 999, 1_000, 1_001, 1_499, 1_500, 9_000];
    expect(times.map((nowMs) => limit.admit('a', nowMs))).toEqual([
      true, // 0
      true, // 500
      false, // 999: two in the last second
      true, // 1000: that of 0 is a second old
      false,
      false,
      true, // 1500: that of 500 is
      true,
    ]);
    expect(limit.counts()).toEqual([{ credential: 'a', answered: 5, refused: 3 }]);
  });

  it('limits each credential separately', () => {
    const limit = new QueryLimit(1);
    expect([limit.admit('a', 0), limit.admit('b', 0), limit.admit('a', 0)]).toEqual([true, true, false]);
  });
});
