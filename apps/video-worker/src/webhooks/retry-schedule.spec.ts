import { describe, expect, it } from '@jest/globals';
import { RETRY_DELAYS_MS, readRetryAfter, retryDelayMs } from './retry-schedule.js';

const HOUR_MS = 60 * 60 * 1_000;

describe('retryDelayMs', () => {
  it('lasts for more than a day', () => {
    const totalMs = RETRY_DELAYS_MS.reduce((sum, delayMs) => sum + delayMs, 0);
    expect(totalMs).toBeGreaterThan(24 * HOUR_MS);
    expect(retryDelayMs(RETRY_DELAYS_MS, RETRY_DELAYS_MS.length + 1, 0, null)).toBeNull();
  });

  it('adds at most a fifth to each wait', () => {
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      expect(retryDelayMs(RETRY_DELAYS_MS, index + 1, 0, null)).toBe(delayMs);
      expect(retryDelayMs(RETRY_DELAYS_MS, index + 1, 0.999_999, null)).toBeLessThanOrEqual(delayMs * 1.2);
    }
  });

  it('follows Retry-After between the scheduled wait and 16 hours', () => {
    expect(retryDelayMs([5_000], 1, 0, 60_000)).toBe(60_000);
    expect(retryDelayMs([5_000], 1, 0, 1_000)).toBe(5_000);
    expect(retryDelayMs([5_000], 1, 0, 9_999 * HOUR_MS)).toBe(16 * HOUR_MS);
    expect(retryDelayMs([5_000], 2, 0, 60_000)).toBeNull();
  });
});

describe('readRetryAfter', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['9999999999', null],
    ['', null],
    [undefined, null],
  ])('reads %j as %j ms', (value, expectedMs) => {
    expect(readRetryAfter(value, nowMs)).toBe(expectedMs);
  });
});
