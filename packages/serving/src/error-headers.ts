import { ERRORS, type ErrorRecord, type ErrorRow } from '@gateway/contracts';

/**
 * The headers that state for client libraries whether to retry, and when. Seconds are rounded up so that no retry comes too early.
 * Libraries retry without asking, so an error whose request may have begun work forbids it.
 */
export function errorHeaders({
  code,
  retryAfterMs,
  mayHaveBegun,
}: Pick<ErrorRecord, 'code' | 'retryAfterMs' | 'mayHaveBegun'>): Record<string, string> {
  const { status, waitMs, ...row }: ErrorRow = ERRORS[code];
  const canRetry = row.canRetry && mayHaveBegun !== true;
  const afterMs = canRetry ? (retryAfterMs ?? waitMs) : undefined;
  const wholeMs = afterMs === undefined ? undefined : Math.max(1, Math.ceil(afterMs));
  return {
    'x-should-retry': String(canRetry),
    ...(wholeMs !== undefined && {
      'retry-after': String(Math.ceil(wholeMs / 1_000)),
      'retry-after-ms': String(wholeMs),
    }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  };
}
