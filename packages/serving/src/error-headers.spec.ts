import { ERRORS, type ErrorCode } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { errorHeaders } from './error-headers.js';

const codes = Object.keys(ERRORS) as ErrorCode[];

describe.each(codes)('the headers of %s', (code) => {
  const { status, canRetry } = ERRORS[code];
  const headers = errorHeaders({ code });

  it('say whether another try can help', () => {
    expect(headers['x-should-retry']).toBe(String(canRetry));
    // What the client has to change first is not helped by repeating it; what we failed at is.
    expect(canRetry).toBe(status >= 500 || [408, 429].includes(status) || code === 'idempotency_in_progress');
  });

  it('call for no other try of what may have begun', () => {
    expect(errorHeaders({ code, retryAfterMs: 1_000, mayHaveBegun: true })).not.toHaveProperty('retry-after');
    expect(errorHeaders({ code, mayHaveBegun: true })['x-should-retry']).toBe('false');
  });

  it('say when, wherever it can only help later', () => {
    const mustWait = [429, 503].includes(status) || code === 'idempotency_in_progress';
    expect(headers['retry-after'] !== undefined).toBe(mustWait);
    expect(headers['retry-after-ms'] !== undefined).toBe(mustWait);
  });

  it('say the true time where it is known, and none where no try helps', () => {
    const told = errorHeaders({ code, retryAfterMs: 60_500.2 });
    expect([told['retry-after'], told['retry-after-ms']]).toEqual(canRetry ? ['61', '60501'] : [undefined, undefined]);
  });

  it('ask for a key where one is missing, and nowhere else', () => {
    expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });
});
