import { describe, expect, it } from '@jest/globals';
import { parseDurationMs, retryAfterMsOf } from './retry-after.js';

describe('retryAfterMsOf', () => {
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '4', 'retry-after-ms': '3890' }, 3_890],
    [{ 'retry-after': 'Wed, 18 Nov 2026 10:00:30 GMT', date: 'Wed, 18 Nov 2026 10:00:00 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 18 Nov 2026 10:00:30 GMT' }, undefined],
    [{ 'retry-after': 'Wed, 18 Nov 2026 09:00:00 GMT', date: 'Wed, 18 Nov 2026 10:00:00 GMT' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads %j', (headers, waitMs) => {
    expect(retryAfterMsOf(headers)).toBe(waitMs);
  });
});

describe('parseDurationMs', () => {
  it.each([
    ['34.4s', 34_400],
    ['0s', 0],
    ['34', undefined],
    [34, undefined],
    ['xs', undefined],
  ])('reads %p', (text, waitMs) => {
    expect(parseDurationMs(text)).toBe(waitMs);
  });
});
