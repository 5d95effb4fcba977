const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Up to this share is added to each wait, so that what failed together does not come back together. */
const JITTER = 0.2;

/** No receiver puts a delivery off for longer than its schedule would. */
const LONGEST_REST_MS = 16 * HOUR_MS;

/** The waits after the first attempt, the second, and so on: eleven attempts in more than thirty hours. */
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

/** How long to wait after attempt number `step` of a round failed; null: that was the last one. `random` is in [0, 1). */
export function retryDelayMs(
  delaysMs: readonly number[],
  step: number,
  random: number,
  retryAfterMs: number | null,
): number | null {
  const delayMs = delaysMs[step - 1];
  if (delayMs === undefined) return null;
  const withJitterMs = Math.round(delayMs * (1 + JITTER * random));
  return Math.max(withJitterMs, Math.min(retryAfterMs ?? 0, LONGEST_REST_MS));
}

/** What a `Retry-After` asks for: seconds or a date. Null: nothing that can be understood. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
