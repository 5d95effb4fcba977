const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Adds up to this share to each wait, so that deliveries that failed together do not retry together. */
const JITTER = 0.2;

/** A receiver cannot postpone a delivery by more than the longest wait of the schedule. */
const MAX_RETRY_AFTER_MS = 16 * HOUR_MS;

/** The waits after each attempt: eleven attempts in more than thirty hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  16 * HOUR_MS,
];

/** The wait after failed attempt number `step`, from 1. Null: it was the last attempt. `random` is in [0, 1). */
export function retryDelayMs(
  delaysMs: readonly number[],
  step: number,
  random: number,
  retryAfterMs: number | null,
): number | null {
  const delayMs = delaysMs[step - 1];
  if (delayMs === undefined) return null;
  const withJitterMs = Math.round(delayMs * (1 + JITTER * random));
  return Math.max(withJitterMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Parses `Retry-After`: seconds or a date. Null: missing or malformed. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
