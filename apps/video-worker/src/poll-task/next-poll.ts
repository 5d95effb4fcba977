import type { StoredVideoTask } from '@gateway/contracts';

export interface Pace {
  /** How long tasks of this model usually take; null: nobody knows yet. */
  readonly usualMs: number | null;
  /** What the model needs at the least. */
  readonly firstPollMs: number;
  readonly fastestMs: number;
  readonly slowestMs: number;
}

/** Before this part of the usual time there is nothing to see. */
const QUIET_PART = 0.6;
const NEAR_PART = 1 / 20;
/** Of a task that takes longer than usual nobody knows how much longer: in proportion to what it has taken. */
const LATE_PART = 1 / 10;
const MOST_DOUBLINGS = 10;

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);

/**
 * How long to wait before a task is looked at again: long while it cannot be ready, often when it should be, and less
 * often the longer it is late. The task finishes unseen for at most this long.
 */
export function nextPollMs(elapsedMs: number, { usualMs, firstPollMs, fastestMs, slowestMs }: Pace): number {
  const quietMs = usualMs === null ? firstPollMs : usualMs * QUIET_PART;
  if (elapsedMs < quietMs) return between(fastestMs, quietMs - elapsedMs, slowestMs);
  const usual = usualMs ?? elapsedMs;
  const waitMs = elapsedMs <= usual && usualMs !== null ? usual * NEAR_PART : elapsedMs * LATE_PART;
  return between(fastestMs, waitMs, slowestMs);
}

/** Clocks differ, and a look may be that late with little to do. */
const IN_TIME_MS = 3_000;
const LESS_BY = 4;

/**
 * The pace for a task that was looked at so late. Where there are more looks than workers can take, those at tasks that cannot
 * be ready yet are left out first: what bounds the wait is then what is usual, not the slowest pace.
 */
export const paceWhenLate = (pace: Pace, lateMs: number): Pace =>
  lateMs <= IN_TIME_MS ? pace : { ...pace, slowestMs: pace.slowestMs + LESS_BY * lateMs };

/** After so many looks in a row that said nothing. */
export const backOffMs = (failures: number, { fastestMs, slowestMs }: Pace): number =>
  between(fastestMs, fastestMs * 2 ** Math.min(failures, MOST_DOUBLINGS), slowestMs);

/** Ten per cent more or less, so that tasks that began together do not march in step. */
export const jittered = (waitMs: number, chance = Math.random()): number => waitMs * (0.9 + chance / 5);

/**
 * When a task that was just taken is looked at first: before its time is over, and at once if its customer has asked
 * meanwhile that it be cancelled, which costs nothing only while it waits.
 */
export const firstLookMs = (
  { cancelOutcome, expiresAtMs }: Pick<StoredVideoTask, 'cancelOutcome' | 'expiresAtMs'>,
  pace: Pace,
  nowMs: number,
): number =>
  cancelOutcome === 'pending'
    ? 0
    : Math.min(jittered(nextPollMs(0, pace)), Math.max(pace.fastestMs, expiresAtMs - nowMs));
