import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

let nowMs = 0;
const open = () => new TokenBuckets({ capacity: 10, perSecond: 2 }, () => nowMs);

describe('a token bucket', () => {
  it('lets through until it is empty, and says how long the next token takes', () => {
    const buckets = open();
    buckets.take('a', 9);
    expect(buckets.waitMs('a')).toBe(0);
    buckets.take('a', 1);
    expect([buckets.waitMs('a'), buckets.waitMs('b')]).toEqual([500, 0]);
    nowMs += 400;
    expect(buckets.waitMs('a')).toBe(0);
  });

  it('owes at most its capacity', () => {
    const buckets = open();
    buckets.take('a', 1_000_000);
    expect(buckets.waitMs('a')).toBe(5_500);
    nowMs += 5_000;
    expect(buckets.waitMs('a')).toBe(500);
    nowMs += 5_500;
    buckets.take('a', 9);
    expect(buckets.waitMs('a')).toBe(0);
  });

  it('takes back what was not used', () => {
    const buckets = open();
    buckets.take('a', 10);
    buckets.take('a', -10);
    buckets.take('a', 9);
    expect(buckets.waitMs('a')).toBe(0);
  });

  it('forgets the least recently used names first', () => {
    const buckets = open();
    buckets.take('first', 20);
    for (let index = 0; index < 50_000; index += 1) buckets.take(String(index), 20);
    expect([buckets.waitMs('first'), buckets.waitMs('49999')]).toEqual([0, 5_500]);
  });
});
