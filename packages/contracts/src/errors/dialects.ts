import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';

/**
 * The shape of an error body, by model family:
 * - `a`: chat completions, `{error: {message, type, param, code}}`
 * - `b`: `{code, message, request_id}`
 * - `anthropic`: native messages, `{type: 'error', error: {type, message}, request_id}`
 * - `brief`: interactions, `{error: {code, message}}` for a 400, else `a`
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

/** A 429 carries both shapes, so that clients of either dialect can read it. */
const dialectA: Render = (error, requestId) =>
  error.code === 'rate_limit_exceeded' ? { ...styleA(error), ...styleB(error, requestId) } : styleA(error);

const RENDER = {
  a: dialectA,
  // The interface documents shape `b` alone for 400 and 429. All other errors carry both shapes on every endpoint.
  b: (error, requestId) =>
    [BAD_REQUEST, TOO_MANY].includes(ERRORS[error.code].status)
      ? styleB(error, requestId)
      : { ...styleA(error), ...styleB(error, requestId) },
  anthropic: (error, requestId) => ({
    type: 'error',
    error: { type: ERRORS[error.code].anthropicType, message: error.message, ...detailsOf(error.code) },
    request_id: requestId,
  }),
  brief: (error, requestId) =>
    ERRORS[error.code].status === BAD_REQUEST
      ? { error: { code: error.code, message: error.message } }
      : dialectA(error, requestId),
} as const satisfies Record<ErrorDialect, Render>;

/** Renders the JSON body of an error response. */
export const renderError = (dialect: ErrorDialect, error: ErrorRecord, requestId: string): object =>
  RENDER[dialect](error, requestId);
