import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';
import { googleError, googleHttpStatus } from './google-error.js';
import { responsesError } from './responses-error.js';
import { upstreamErrorOf } from './upstream-error.js';

/**
 * The shape of an error body, by model family:
 * - `a`: chat completions, `{error: {message, type, param, code}}`
 * - `b`: `{code, message, request_id}`, with `error` of `a` beside it, which client libraries show
 * - `anthropic`: native messages, `{type: 'error', error: {type, message}, request_id}`
 * - `google`: Google's native API, `{error: {code, message, status, details}}`
 * - `responses`: as `a`, with the codes and words that clients of the Responses protocol act on
 * - `interactions`: as `google`; the event that ends a stream has the form of the Interactions API
 * - `brief`: interactions of image models on the images endpoint, `{error: {message, type, code}}` for a 400, else `a`
 */
export type ErrorDialect = 'a' | 'b' | 'anthropic' | 'google' | 'interactions' | 'responses' | 'brief';

const GOOGLE_FORM: ReadonlySet<ErrorDialect> = new Set(['google', 'interactions']);

/** True if an HTTP error has the form of Google's APIs. */
export const hasGoogleForm = (dialect: ErrorDialect): boolean => GOOGLE_FORM.has(dialect);

type Render = (error: ErrorRecord, requestId: string) => object;

const BAD_REQUEST = 400;

/** An upstream's own error keeps its type, code and param where they are strings; its body is `error.upstream`. */
function styleA(error: ErrorRecord): { readonly error: object } {
  const { message, code, param = null } = error;
  const upstream = upstreamErrorOf(error);
  return upstream === undefined
    ? { error: { message, type: ERRORS[code].type, param, code } }
    : {
        error: { message, type: upstream.type, param: upstream.param, code: upstream.code, upstream: upstream.body },
      };
}

function styleB(error: ErrorRecord, requestId: string): object {
  const upstream = upstreamErrorOf(error);
  const code = upstream?.ownCode ?? ERRORS[error.code].styleBCode;
  return { code, message: error.message, request_id: requestId };
}

function detailsOf(code: ErrorCode): object {
  const { anthropicCode }: ErrorRow = ERRORS[code];
  return anthropicCode === undefined ? {} : { details: { error_code: anthropicCode } };
}

const TOO_LONG = 'Prompt is too long';

/** Clients of the native format shorten a conversation on these words alone. */
const nativeMessage = ({ code, message }: ErrorRecord): string =>
  code !== 'context_length_exceeded' || message.toLowerCase().includes(TOO_LONG.toLowerCase())
    ? message
    : `${TOO_LONG}: ${message}`;

/** A 429 carries both shapes, so that clients of either dialect can read it. */
const dialectA: Render = (error, requestId) =>
  error.code === 'rate_limit_exceeded' ? { ...styleA(error), ...styleB(error, requestId) } : styleA(error);

const RENDER = {
  a: dialectA,
  b: (error, requestId) => ({ ...styleA(error), ...styleB(error, requestId) }),
  anthropic: (error, requestId) => ({
    type: 'error',
    error: { type: ERRORS[error.code].anthropicType, message: nativeMessage(error), ...detailsOf(error.code) },
    request_id: requestId,
  }),
  google: googleError,
  interactions: googleError,
  responses: (error) => ({ error: { ...styleA(error).error, ...responsesError(error) } }),
  brief: (error, requestId) =>
    ERRORS[error.code].status === BAD_REQUEST
      ? { error: { message: error.message, type: ERRORS[error.code].type, code: error.code } }
      : dialectA(error, requestId),
} as const satisfies Record<ErrorDialect, Render>;

/** Renders the JSON body of an error response. */
export const renderError = (dialect: ErrorDialect, error: ErrorRecord, requestId: string): object =>
  RENDER[dialect](error, requestId);

/** The HTTP status of an error response. Google's clients expect 404 for a model that is not served. */
export const errorStatus = (dialect: ErrorDialect, { code, passThrough }: ErrorRecord): number =>
  passThrough?.status ?? (hasGoogleForm(dialect) ? googleHttpStatus(code) : ERRORS[code].status);
