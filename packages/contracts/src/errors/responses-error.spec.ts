import { describe, expect, it } from '@jest/globals';
import { renderError } from './dialects.js';
import { failedResponseError } from './responses-error.js';

describe('an error of the Responses protocol', () => {
  it('has the code that clients read of an account without credit', () => {
    const error = { code: 'insufficient_balance', message: 'Add 2 USD.' } as const;
    expect(renderError('responses', error, 'req_1')).toEqual({
      error: { message: 'Add 2 USD.', type: 'insufficient_balance', param: null, code: 'insufficient_quota' },
    });
  });

  it('says how long to wait, once', () => {
    const limited = (message: string, retryAfterMs?: number) =>
      failedResponseError({ code: 'rate_limit_exceeded', message, ...(retryAfterMs && { retryAfterMs }) }).message;
    expect(limited('Slow down.', 2_100)).toBe('Slow down. Please try again in 3s.');
    expect(limited('Slow down.')).toBe('Slow down. Please try again in 1s.');
    expect(limited('Please try again in 120ms.', 2_100)).toBe('Please try again in 120ms.');
  });

  it.each([
    'Too many requests. Please try again later.',
    'Too many requests. Try again shortly.',
    'Too many requests, try again shortly.',
    'Too many requests. Try again in a moment.',
  ])('says once to try again: %s', (message) => {
    const { message: said } = failedResponseError({ code: 'rate_limit_exceeded', message, retryAfterMs: 2_000 });
    expect(said).toBe('Too many requests. Please try again in 2s.');
  });

  it('keeps the code of an upstream’s own error', () => {
    const body = JSON.stringify({ error: { code: 'invalid_image', type: 'invalid_request_error', param: 'input' } });
    const passThrough = { status: 400, contentType: 'application/json', body };
    expect(renderError('responses', { code: 'invalid_request', message: 'No.', passThrough }, 'r')).toMatchObject({
      error: { code: 'invalid_image', type: 'invalid_request_error', param: 'input', message: 'No.' },
    });
  });

  it('is one fault of a server within a stream, whatever its cause', () => {
    for (const code of ['worker_lost', 'upstream_timeout', 'internal_error', 'upstream_unavailable'] as const) {
      expect(failedResponseError({ code, message: 'x' }).code).toBe('server_error');
    }
    expect(failedResponseError({ code: 'insufficient_quota', message: 'x' }).code).toBe('insufficient_quota');
  });
});
