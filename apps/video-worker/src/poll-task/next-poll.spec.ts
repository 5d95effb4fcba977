import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs, firstLookMs, jittered, nextPollMs, type Pace, paceWhenLate } from './next-poll.js';

const pace: Pace = { usualMs: 100_000, firstPollMs: 5_000, fastestMs: 1_000, slowestMs: 30_000 };

describe('the wait before the next look at a task', () => {
  it('is long while the task cannot be ready', () => {
    expect(nextPollMs(0, pace)).toBe(30_000);
    expect(nextPollMs(40_000, pace)).toBe(20_000);
  });

  it('is short around the time that tasks of its model usually take', () => {
    expect(nextPollMs(60_000, pace)).toBe(5_000);
    expect(nextPollMs(99_000, pace)).toBe(5_000);
  });

  it('grows with how late the task is', () => {
    expect(nextPollMs(120_000, pace)).toBe(12_000);
    expect(nextPollMs(3_600_000, pace)).toBe(30_000);
  });

  it('goes by what the model needs at the least as long as nobody knows what is usual', () => {
    const unknown = { ...pace, usualMs: null };
    expect(nextPollMs(0, unknown)).toBe(5_000);
    expect(nextPollMs(5_000, unknown)).toBe(1_000);
    expect(nextPollMs(60_000, unknown)).toBe(6_000);
  });

  it('is longer where looks come late, for tasks that cannot be ready and for those that are late themselves', () => {
    const hour = { ...pace, usualMs: 3_600_000 };
    expect(paceWhenLate(hour, 3_000)).toEqual(hour);
    const late = paceWhenLate(hour, 60_000);
    expect([nextPollMs(0, hour), nextPollMs(0, late)]).toEqual([30_000, 270_000]);
    expect([nextPollMs(2_000_000, hour), nextPollMs(2_000_000, late)]).toEqual([30_000, 160_000]);
    expect([nextPollMs(3_000_000, hour), nextPollMs(3_000_000, late)]).toEqual([30_000, 180_000]);
    const short = paceWhenLate(pace, 600_000);
    expect([nextPollMs(0, short), nextPollMs(70_000, short), nextPollMs(110_000, short)]).toEqual([
      60_000, 5_000, 11_000,
    ]);
  });

  it('stays within its bounds, whatever was learnt', () => {
    const time = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(time, fc.option(time), (elapsedMs, usualMs) => {
        const waitMs = nextPollMs(elapsedMs, { ...pace, usualMs });
        expect(waitMs).toBeGreaterThanOrEqual(pace.fastestMs);
        expect(waitMs).toBeLessThanOrEqual(pace.slowestMs);
      }),
    );
  });

  it('doubles with each look that says nothing', () => {
    expect([1, 2, 3, 9, 500].map((failures) => backOffMs(failures, pace))).toEqual([
      2_000, 4_000, 8_000, 30_000, 30_000,
    ]);
  });

  it('is a little longer or shorter than said, so that tasks do not march in step', () => {
    expect([0, 0.5, 1].map((chance) => jittered(1_000, chance))).toEqual([900, 1_000, 1_100]);
  });
});

describe('the first look at a task', () => {
  const nowMs = 1_700_000_000_000;
  const task = { cancelOutcome: null, expiresAtMs: nowMs + 3_600_000 } as const;

  it('waits until there is something to see', () => {
    expect(firstLookMs(task, pace, nowMs)).toBeGreaterThanOrEqual(27_000);
    expect(firstLookMs(task, pace, nowMs)).toBeLessThanOrEqual(33_000);
  });

  it('does not wait beyond its time', () => {
    expect(firstLookMs({ ...task, expiresAtMs: nowMs + 4_000 }, pace, nowMs)).toBe(4_000);
    expect(firstLookMs({ ...task, expiresAtMs: nowMs - 4_000 }, pace, nowMs)).toBe(1_000);
  });

  it('is taken at once if it was to be cancelled while it was submitted: it may still be in the queue', () => {
    expect(firstLookMs({ ...task, cancelOutcome: 'pending' }, pace, nowMs)).toBe(0);
  });
});
