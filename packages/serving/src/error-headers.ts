import { ERRORS, type ErrorRecord, type ErrorRow } from '@gateway/contracts';

/**
 * What an error tells client libraries in headers: whether another try can help, and where it can only help later, when.
 * Seconds are rounded up: whoever comes back then is not too early.
 */
export function errorHeaders({
  code,
  retryAfterMs,
}: Pick<ErrorRecord, 'code' | 'retryAfterMs'>): Record<string, string> {
  const { status, canRetry, waitMs }: ErrorRow = ERRORS[code];
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
