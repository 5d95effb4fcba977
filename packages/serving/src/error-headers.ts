import { ERRORS, type ErrorRecord, type ErrorRow } from '@gateway/contracts';

/**
 * The headers that state whether and when a client library may retry. Seconds are rounded up, so that no retry is early.
 * Libraries retry on their own, so an error after which work may have begun forbids the retry.
 */
export function errorHeaders({
  code,
  retryAfterMs,
  mayHaveBegun,
}: Pick<ErrorRecord, 'code' | 'retryAfterMs' | 'mayHaveBegun'>): Record<string, string> {
  const { status, waitMs, ...row }: ErrorRow = ERRORS[code];
  const canRetry = row.canRetry && mayHaveBegun !== true;
  const afterMs = canRetry ? (retryAfterMs ?? waitMs) : undefined;
  const roundedMs = afterMs === undefined ? undefined : Math.max(1, Math.ceil(afterMs));
  return {
    'x-should-retry': String(canRetry),
    ...(roundedMs !== undefined && {
      'retry-after': String(Math.ceil(roundedMs / 1_000)),
      'retry-after-ms': String(roundedMs),
    }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  };
}
