type Headers = Readonly<Record<string, string | undefined>>;

const SECONDS = /^\d{1,9}(\.\d{1,9})?$/;

/** Parses a duration such as `34.4s` to milliseconds; undefined for anything else. */
export function parseDurationMs(duration: unknown): number | undefined {
  if (typeof duration !== 'string' || !duration.endsWith('s')) return undefined;
  const seconds = duration.slice(0, -1);
  return SECONDS.test(seconds) ? Math.ceil(Number(seconds) * 1_000) : undefined;
}

/**
 * The wait that the upstream requests, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. A date
 * counts from the response's `date` header, so that this package needs no clock.
 */
export function retryAfterMsOf(headers: Headers): number | undefined {
  const milliseconds = headers['retry-after-ms'];
  if (milliseconds !== undefined && SECONDS.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const after = headers['retry-after'];
  if (after === undefined) return undefined;
  if (SECONDS.test(after)) return Math.ceil(Number(after) * 1_000);
  const waitMs = Date.parse(after) - Date.parse(headers.date ?? '');
  return Number.isFinite(waitMs) && waitMs >= 0 ? waitMs : undefined;
}
