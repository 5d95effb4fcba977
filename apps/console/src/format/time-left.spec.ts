import { describe, expect, it } from '@jest/globals';
import { timeLeft } from './time-left.js';

describe('timeLeft', () => {
  it.each([
    [
      { beganAtMs: 1_000, usualMs: 60_000, nowMs: 16_000 },
      { elapsedMs: 15_000, leftMs: 45_000, share: 0.25, isLate: false },
    ],
    [
      { beganAtMs: null, usualMs: 60_000, nowMs: 16_000 },
      { elapsedMs: 0, leftMs: 60_000, share: 0, isLate: false },
    ],
    [
      { beganAtMs: 1_000, usualMs: 5_000, nowMs: 16_000 },
      { elapsedMs: 15_000, leftMs: null, share: null, isLate: true },
    ],
    [
      { beganAtMs: 1_000, usualMs: null, nowMs: 16_000 },
      { elapsedMs: 15_000, leftMs: null, share: null, isLate: false },
    ],
    [
      { beganAtMs: 20_000, usualMs: 5_000, nowMs: 16_000 },
      { elapsedMs: 0, leftMs: 5_000, share: 0, isLate: false },
    ],
  ])('computes what is left of %j', (pace, left) => {
    expect(timeLeft(pace)).toEqual(left);
  });
});
