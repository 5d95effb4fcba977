import { describe, expect, it } from '@jest/globals';
import { seededRandom } from './seeded-random.js';

describe('seededRandom', () => {
  it('repeats its numbers for the same seed only', () => {
    const row = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.whole(0, 1_000_000));
    };
    expect(row(7)).toEqual(row(7));
    expect(row(7)).not.toEqual(row(8));
  });

  it('reaches both ends of a range and never leaves it', () => {
    const random = seededRandom(1);
    const seen = new Set(Array.from({ length: 500 }, () => random.whole(3, 6)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
  });

  it('picks names in proportion to their weights', () => {
    const random = seededRandom(2);
    const counts = { often: 0, rarely: 0, never: 0 };
    for (let round = 0; round < 10_000; round += 1) counts[random.weighted({ often: 9, rarely: 1, never: 0 })] += 1;
    expect(counts.never).toBe(0);
    expect(counts.often / counts.rarely).toBeGreaterThan(7);
    expect(counts.often / counts.rarely).toBeLessThan(11);
  });
});
