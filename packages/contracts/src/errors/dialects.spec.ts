import { describe, expect, it } from '@jest/globals';
import { renderError } from './dialects.js';
import type { ErrorCode } from './error-table.js';

const STYLE_A = { error: { message: 'No.', type: expect.any(String), param: null, code: expect.any(String) } };
const STYLE_B = { code: expect.any(String), message: 'No.', request_id: 'req_1' };
const BRIEF = { error: { code: expect.any(String), message: 'No.' } };
const NATIVE = { type: 'error', error: { type: expect.any(String), message: 'No.' }, request_id: 'req_1' };

const rendered = (dialect: 'a' | 'b' | 'anthropic' | 'brief', code: ErrorCode) =>
  renderError(dialect, { code, message: 'No.' }, 'req_1');

describe('renderError', () => {
  it.each([
    ['a', 'invalid_request', STYLE_A],
    ['b', 'invalid_request', STYLE_B],
    ['brief', 'invalid_request', BRIEF],
    ['anthropic', 'invalid_request', NATIVE],
    ['b', 'rate_limit_exceeded', STYLE_B],
    ['brief', 'rate_limit_exceeded', { ...STYLE_A, ...STYLE_B }],
    ['a', 'rate_limit_exceeded', { ...STYLE_A, ...STYLE_B }],
    ['anthropic', 'rate_limit_exceeded', NATIVE],
  ] as const)('renders the documented shape in dialect %s: %s', (dialect, code, expected) => {
    expect(rendered(dialect, code)).toEqual(expected);
  });

  const everywhere = ['invalid_api_key', 'insufficient_balance', 'not_found', 'request_too_large', 'upstream_timeout'];
  it.each(everywhere as ErrorCode[])('renders %s in dialect `a` on every endpoint', (code) => {
    expect(rendered('a', code)).toEqual(STYLE_A);
    expect(rendered('brief', code)).toEqual(STYLE_A);
    expect(rendered('b', code)).toEqual({ ...STYLE_A, ...STYLE_B });
  });

  it('carries the error code that client libraries of the native format act upon', () => {
    expect(rendered('anthropic', 'thread_unsupported')).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: 'thread_unsupported_request' } },
    });
  });
});
