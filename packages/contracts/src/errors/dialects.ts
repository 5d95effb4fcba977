import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';

/**
 * How a family spells an error: `a` is the chat-completions protocol's (`{error:{…}}`), `b` is
 * `{code, message, request_id}`, `anthropic` the native messages format's, `brief` the interaction endpoint's.
 */
export type ErrorDialect = 'a' | 'b' | 'anthropic' | 'brief';

type Render = (error: ErrorRecord, requestId: string) => object;

const styleA = (error: ErrorRecord): object => ({
  error: { message: error.message, type: ERRORS[error.code].type, param: error.param ?? null, code: error.code },
});

const styleB = (error: ErrorRecord, requestId: string): object => ({
  code: ERRORS[error.code].styleBCode,
  message: error.message,
  request_id: requestId,
});

function detailsOf(code: ErrorCode): object {
  const { anthropicCode }: ErrorRow = ERRORS[code];
  return anthropicCode === undefined ? {} : { details: { error_code: anthropicCode } };
}

const RENDER = {
  // A refusal for rate carries both styles, so that a client written for either reads it.
  a: (error, requestId) =>
    error.code === 'rate_limit_exceeded' ? { ...styleA(error), ...styleB(error, requestId) } : styleA(error),
  // The interface shows 402 in one shape for all endpoints.
  b: (error, requestId) =>
    error.code === 'insufficient_balance'
      ? { ...styleA(error), ...styleB(error, requestId) }
      : styleB(error, requestId),
  anthropic: (error, requestId) => ({
    type: 'error',
    error: { type: ERRORS[error.code].anthropicType, message: error.message, ...detailsOf(error.code) },
    request_id: requestId,
  }),
  brief: (error) => ({ error: { code: error.code, message: error.message } }),
} as const satisfies Record<ErrorDialect, Render>;

/** The body of an error answer in the client's dialect. */
export const renderError = (dialect: ErrorDialect, error: ErrorRecord, requestId: string): object =>
  RENDER[dialect](error, requestId);
