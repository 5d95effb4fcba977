import { ERRORS, type ErrorRecord, type ErrorRow } from '@gateway/contracts';

/**
 * What an error tells client libraries in headers: whether another try can help, and where it can only help later, when.
 * Seconds are rounded up: whoever comes back then is not too early. They try again by themselves, without looking: not
 * where the first try may have begun what the second would begin again.
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
