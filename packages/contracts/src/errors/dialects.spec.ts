import { describe, expect, it } from '@jest/globals';
import { renderError } from './dialects.js';
import type { ErrorCode } from './error-table.js';

const STYLE_A = { error: { message: 'No.', type: expect.any(String), param: null, code: expect.any(String) } };
const STYLE_B_ALONE = { code: expect.any(String), message: 'No.', request_id: 'req_1' };
const STYLE_B = { ...STYLE_A, ...STYLE_B_ALONE };
const BRIEF = { error: { message: 'No.', type: expect.any(String), code: expect.any(String) } };
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
    ['brief', 'rate_limit_exceeded', STYLE_B],
    ['a', 'rate_limit_exceeded', STYLE_B],
    ['anthropic', 'rate_limit_exceeded', NATIVE],
  ] as const)('renders the documented shape in dialect %s: %s', (dialect, code, expected) => {
    expect(rendered(dialect, code)).toEqual(expected);
  });

  const everywhere = ['invalid_api_key', 'insufficient_balance', 'not_found', 'request_too_large', 'upstream_timeout'];
  it.each(everywhere as ErrorCode[])('renders %s in dialect `a` on every endpoint', (code) => {
    expect(rendered('a', code)).toEqual(STYLE_A);
    expect(rendered('brief', code)).toEqual(STYLE_A);
    expect(rendered('b', code)).toEqual(STYLE_B);
  });

  it('carries the error code that client libraries of the native format act upon', () => {
    expect(rendered('anthropic', 'thread_unsupported')).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: 'thread_unsupported_request' } },
    });
  });
});

describe('a prompt that is too long', () => {
  const dashscope = { code: 'InvalidParameter', message: 'Range of input length should be [1, 9]' };
  const error = {
    code: 'context_length_exceeded',
    message: dashscope.message,
    passThrough: { status: 400, contentType: 'application/json', body: JSON.stringify(dashscope) },
  } as const;

  it('has the words that clients of the native format act upon, once', () => {
    const words = (message: string) => renderError('anthropic', { ...error, message }, 'req_1');
    expect(words(error.message)).toMatchObject({ error: { message: `Prompt is too long: ${error.message}` } });
    const own = 'prompt is too long: 300000 tokens > 200000 maximum';
    expect(words(own)).toMatchObject({ error: { type: 'invalid_request_error', message: own } });
  });

  it('has the code that other clients act upon, and the vendor’s own where its clients read it', () => {
    expect(renderError('a', error, 'req_1')).toMatchObject({ error: { code: 'context_length_exceeded' } });
    expect(renderError('responses', error, 'req_1')).toMatchObject({ error: { code: 'context_length_exceeded' } });
    expect(renderError('b', error, 'req_1')).toMatchObject({ code: 'InvalidParameter' });
  });
});

describe('an upstream error', () => {
  const upstreamError = (dialect: 'a' | 'b', body: object) =>
    renderError(
      dialect,
      {
        code: 'invalid_request',
        message: 'No.',
        passThrough: { status: 400, contentType: 'application/json', body: JSON.stringify(body) },
      },
      'req_1',
    );

  it.each([
    ['gemini', { error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }, 'invalid_request'],
    ['anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } }, 'invalid_request'],
    ['voyage', { detail: 'No.' }, 'invalid_request'],
    ['xai', { code: 'Client specified an invalid argument', error: 'No.' }, 'invalid_request'],
    ['openai, code null', { error: { message: 'No.', type: 'x', param: null, code: null } }, 'invalid_request'],
    [
      'openai',
      { error: { message: 'No.', type: 'x', param: 'size', code: 'context_length_exceeded' } },
      'context_length_exceeded',
    ],
    ['dashscope', { code: 'InvalidParameter', message: 'No.', request_id: 'r' }, 'InvalidParameter'],
  ])('has strings for message, type and code, and the whole body: %s', (_, body, code) => {
    const { error } = upstreamError('a', body) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ message: 'No.', type: expect.any(String), code, upstream: body });
  });

  it("keeps the vendor's type and param", () => {
    const body = { error: { message: 'No.', type: 'image_generation_user_error', param: 'size', code: null } };
    expect(upstreamError('a', body)).toMatchObject({ error: { type: 'image_generation_user_error', param: 'size' } });
  });

  it('has both forms in dialect `b`, with our request id', () => {
    const body = { code: 'DataInspectionFailed', message: 'No.', request_id: 'theirs' };
    expect(upstreamError('b', body)).toEqual({
      code: 'DataInspectionFailed',
      message: 'No.',
      request_id: 'req_1',
      error: {
        message: 'No.',
        type: 'invalid_request_error',
        param: null,
        code: 'DataInspectionFailed',
        upstream: body,
      },
    });
    expect(upstreamError('b', { error: 'No.' })).toMatchObject({ code: 'InvalidParameter' });
  });
});
