import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';

/**
 * How a family spells an error: `a` is the chat-completions protocol's (`{error:{…}}`), `b` is
 * `{code, message, request_id}`, `anthropic` the native messages format's, `brief` the interaction endpoint's.
 */
export type ErrorDialect = 'a' | 'b' | 'anthropic' | 'brief';

type Render = (error: ErrorRecord, requestId: string) => object;

const BAD_REQUEST = 400;
const TOO_MANY = 429;

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

/** A refusal for rate carries both styles, so that a client written for either reads it. */
const dialectA: Render = (error, requestId) =>
  error.code === 'rate_limit_exceeded' ? { ...styleA(error), ...styleB(error, requestId) } : styleA(error);

const RENDER = {
  a: dialectA,
  // The interface shows this style for a bad parameter and for rate; whatever else is wrong is said alike on all endpoints.
  b: (error, requestId) =>
    [BAD_REQUEST, TOO_MANY].includes(ERRORS[error.code].status)
      ? styleB(error, requestId)
      : { ...styleA(error), ...styleB(error, requestId) },
  anthropic: (error, requestId) => ({
    type: 'error',
    error: { type: ERRORS[error.code].anthropicType, message: error.message, ...detailsOf(error.code) },
    request_id: requestId,
  }),
  // Brief are its 400s.
  brief: (error, requestId) =>
    ERRORS[error.code].status === BAD_REQUEST
      ? { error: { code: error.code, message: error.message } }
      : dialectA(error, requestId),
} as const satisfies Record<ErrorDialect, Render>;

/** The body of an error answer in the client's dialect. */
export const renderError = (dialect: ErrorDialect, error: ErrorRecord, requestId: string): object =>
  RENDER[dialect](error, requestId);
