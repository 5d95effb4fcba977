import { expect, it } from '@jest/globals';
import { nextWaitMs } from './next-wait.js';

/** The waits of a page whose account has an event in every such time, over `count` refreshes. */
function waitsOf(everyMs: number, count: number): readonly number[] {
  let waitMs = 0;
  return Array.from({ length: count }, (_, index) => {
    waitMs = nextWaitMs(waitMs, index === 0 ? Number.POSITIVE_INFINITY : everyMs);
    return waitMs;
  });
}

it('shows the first request at once, and reads a busy account ever more rarely', () => {
  expect(waitsOf(100, 6)).toEqual([400, 800, 1_600, 3_000, 3_000, 3_000]);
});

it('shows each request of a quiet account at once', () => {
  expect(waitsOf(5_000, 3)).toEqual([400, 400, 400]);
});

it('shows the next request at once after a busy account has rested', () => {
  expect(nextWaitMs(3_000, 3_001)).toBe(400);
});
