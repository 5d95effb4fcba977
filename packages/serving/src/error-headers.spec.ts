import { ERRORS, type ErrorCode } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { errorHeaders } from './error-headers.js';

const codes = Object.keys(ERRORS) as ErrorCode[];

/** The same request is still running: a later retry finds its response. */
const IN_PROGRESS: readonly ErrorCode[] = ['idempotency_in_progress', 'request_in_progress'];

describe.each(codes)('the headers of %s', (code) => {
  const { status, canRetry } = ERRORS[code];
  const headers = errorHeaders({ code });

  it('state whether a retry can help', () => {
    expect(headers['x-should-retry']).toBe(String(canRetry));
    // A retry cannot help before the client changes the request; it can after our own failures.
    expect(canRetry).toBe(status >= 500 || [408, 429].includes(status) || IN_PROGRESS.includes(code));
  });

  it('forbid a retry of a request that may have begun', () => {
    expect(errorHeaders({ code, retryAfterMs: 1_000, mayHaveBegun: true })).not.toHaveProperty('retry-after');
    expect(errorHeaders({ code, mayHaveBegun: true })['x-should-retry']).toBe('false');
  });

  it('state a wait if a retry can only help later', () => {
    const mustWait = [429, 503, 507].includes(status) || IN_PROGRESS.includes(code);
    expect(headers['retry-after'] !== undefined).toBe(mustWait);
    expect(headers['retry-after-ms'] !== undefined).toBe(mustWait);
  });

  it('state the exact wait if it is known, and none if no retry helps', () => {
    const exact = errorHeaders({ code, retryAfterMs: 60_500.2 });
    expect([exact['retry-after'], exact['retry-after-ms']]).toEqual(
      canRetry ? ['61', '60501'] : [undefined, undefined],
    );
  });

  it('request a key after a 401 only', () => {
    expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });
});
