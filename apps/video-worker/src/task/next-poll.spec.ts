import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs, firstPollMs, jittered, nextPollMs, type Pace, slowPaceWhenLate } from './next-poll.js';

const pace: Pace = { usualMs: 100_000, firstPollMs: 5_000, fastestMs: 1_000, slowestMs: 30_000 };

describe('the wait before the next poll of a task', () => {
  it('is long while the task cannot be ready', () => {
    expect(nextPollMs(0, pace)).toBe(30_000);
    expect(nextPollMs(40_000, pace)).toBe(20_000);
  });

  it('is short around the usual duration of its model', () => {
    expect(nextPollMs(60_000, pace)).toBe(5_000);
    expect(nextPollMs(99_000, pace)).toBe(5_000);
  });

  it('grows as the task gets later', () => {
    expect(nextPollMs(120_000, pace)).toBe(12_000);
    expect(nextPollMs(3_600_000, pace)).toBe(30_000);
  });

  it('uses the minimum of the model while the usual duration is unknown', () => {
    const unknown = { ...pace, usualMs: null };
    expect(nextPollMs(0, unknown)).toBe(5_000);
    expect(nextPollMs(5_000, unknown)).toBe(1_000);
    expect(nextPollMs(60_000, unknown)).toBe(6_000);
  });

  it('is longer if polls run late, both for early tasks and for late ones', () => {
    const hour = { ...pace, usualMs: 3_600_000 };
    expect(slowPaceWhenLate(hour, 3_000)).toEqual(hour);
    const late = slowPaceWhenLate(hour, 60_000);
    expect([nextPollMs(0, hour), nextPollMs(0, late)]).toEqual([30_000, 270_000]);
    expect([nextPollMs(2_000_000, hour), nextPollMs(2_000_000, late)]).toEqual([30_000, 160_000]);
    expect([nextPollMs(3_000_000, hour), nextPollMs(3_000_000, late)]).toEqual([30_000, 180_000]);
    const short = slowPaceWhenLate(pace, 600_000);
    expect([nextPollMs(0, short), nextPollMs(70_000, short), nextPollMs(110_000, short)]).toEqual([
      60_000, 5_000, 11_000,
    ]);
  });

  it('stays within its bounds for every learnt duration', () => {
    const time = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(time, fc.option(time), (elapsedMs, usualMs) => {
        const waitMs = nextPollMs(elapsedMs, { ...pace, usualMs });
        expect(waitMs).toBeGreaterThanOrEqual(pace.fastestMs);
        expect(waitMs).toBeLessThanOrEqual(pace.slowestMs);
      }),
    );
  });

  it('doubles with each failed poll', () => {
    expect([1, 2, 3, 9, 500].map((failures) => backOffMs(failures, pace))).toEqual([
      2_000, 4_000, 8_000, 30_000, 30_000,
    ]);
  });

  it('varies by 10 % so that tasks do not poll together', () => {
    expect([0, 0.5, 1].map((random) => jittered(1_000, random))).toEqual([900, 1_000, 1_100]);
  });
});

describe('the first poll of a task', () => {
  const nowMs = 1_700_000_000_000;
  const task = { cancelOutcome: null, expiresAtMs: nowMs + 3_600_000 } as const;

  it('waits until the task can be ready', () => {
    expect(firstPollMs(task, pace, nowMs)).toBeGreaterThanOrEqual(27_000);
    expect(firstPollMs(task, pace, nowMs)).toBeLessThanOrEqual(33_000);
  });

  it('does not wait beyond the deadline', () => {
    expect(firstPollMs({ ...task, expiresAtMs: nowMs + 4_000 }, pace, nowMs)).toBe(4_000);
    expect(firstPollMs({ ...task, expiresAtMs: nowMs - 4_000 }, pace, nowMs)).toBe(1_000);
  });

  it('is immediate if a cancellation was requested during the submission', () => {
    expect(firstPollMs({ ...task, cancelOutcome: 'pending' }, pace, nowMs)).toBe(0);
  });
});
