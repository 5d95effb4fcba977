import type { StoredVideoTask } from '@gateway/contracts';

/** The times that decide how often a task of one model is polled. */
export interface Pace {
  /** Usual duration of this model's tasks. Null: unknown. */
  readonly usualMs: number | null;
  /** Shortest duration that the catalogue expects. */
  readonly firstPollMs: number;
  readonly fastestMs: number;
  readonly slowestMs: number;
}

/** No task ends before this share of the usual duration. */
const QUIET_SHARE = 0.6;
const NEAR_SHARE = 1 / 20;
/** The wait for a late task grows in proportion to its age. */
const LATE_SHARE = 1 / 10;
const MAX_DOUBLINGS = 10;

const clamp = (min: number, value: number, max: number): number => Math.min(Math.max(value, min), max);

/**
 * The wait before the next poll: long while the task cannot be ready, short around its usual end, then longer again.
 * It bounds how long a finished task stays undetected.
 */
export function nextPollMs(elapsedMs: number, { usualMs, firstPollMs, fastestMs, slowestMs }: Pace): number {
  const quietMs = usualMs === null ? firstPollMs : usualMs * QUIET_SHARE;
  if (elapsedMs < quietMs) return clamp(fastestMs, quietMs - elapsedMs, slowestMs);
  const usual = usualMs ?? elapsedMs;
  const waitMs = elapsedMs <= usual && usualMs !== null ? usual * NEAR_SHARE : elapsedMs * LATE_SHARE;
  return clamp(fastestMs, waitMs, slowestMs);
}

/** Clocks differ, and an idle worker may be this late. */
const LATENESS_TOLERANCE_MS = 3_000;
const SLOWDOWN_FACTOR = 4;

/** Slows the pace if polls run late: overloaded workers first skip polls of tasks that cannot be ready. */
export const slowPaceWhenLate = (pace: Pace, lateMs: number): Pace =>
  lateMs <= LATENESS_TOLERANCE_MS ? pace : { ...pace, slowestMs: pace.slowestMs + SLOWDOWN_FACTOR * lateMs };

/** Exponential back-off after `failures` failed polls in a row. */
export const backOffMs = (failures: number, { fastestMs, slowestMs }: Pace): number =>
  clamp(fastestMs, fastestMs * 2 ** Math.min(failures, MAX_DOUBLINGS), slowestMs);

/** Adds up to 10 % in either direction, so that tasks that began together do not poll together. */
export const jittered = (waitMs: number, random = Math.random()): number => waitMs * (0.9 + random / 5);

/**
 * The wait before the first poll of an accepted task. It is 0 if the customer has requested a cancellation: cancelling is
 * free only while the task is queued upstream.
 */
export const firstPollMs = (
  { cancelOutcome, expiresAtMs }: Pick<StoredVideoTask, 'cancelOutcome' | 'expiresAtMs'>,
  pace: Pace,
  nowMs: number,
): number =>
  cancelOutcome === 'pending'
    ? 0
    : Math.min(jittered(nextPollMs(0, pace)), Math.max(pace.fastestMs, expiresAtMs - nowMs));
