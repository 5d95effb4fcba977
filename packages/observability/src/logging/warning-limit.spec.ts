import { describe, expect, it } from '@jest/globals';
import { WarningLimit } from './warning-limit.js';

describe('WarningLimit', () => {
  it('passes ten lines of a problem in ten seconds, and then says how many it left out', () => {
    let nowMs = 0;
    const limit = new WarningLimit(() => nowMs);
    const counted = Array.from({ length: 25 }, () => limit.count('away'));
    expect(counted.filter((leftOut) => leftOut === 0)).toHaveLength(10);
    expect(counted.slice(10)).toEqual(Array(15).fill(undefined));
    expect(limit.count('another problem')).toBe(0);
    nowMs = 10_000;
    expect([limit.count('away'), limit.count('away'), limit.count('another problem')]).toEqual([15, 0, 0]);
  });

  it('passes problems that are all different, and remembers a bounded number', () => {
    const limit = new WarningLimit(() => 0);
    for (let number = 0; number < 5_000; number += 1) expect(limit.count(`problem ${number}`)).toBe(0);
  });
});
