import type { GatewayError } from '@gateway/contracts';
import { classifyErrorReport } from '../failures/classify-error-report.js';
import { errorObjectOf, type JsonObject, objectAt, passThroughOf, stringAt } from '../failures/error-body.js';
import { retryAfterMsOf } from '../failures/retry-after.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/** An account without credit gives 400 `invalid_request_error`. Only the message distinguishes it from a client's fault. */
const SPENT_ACCOUNT = /credit balance is too low|specified API usage limits|spend limit/i;
const MISSING_MODEL = /^model\b/i;

const isAboutCredential = (status: number, message: string): boolean =>
  (status === 400 && SPENT_ACCOUNT.test(message)) || (status === 404 && MISSING_MODEL.test(message));

/** Envelope `{type: 'error', error: {type, message}}`: platform.claude.com/docs/en/api/errors. */
export function readFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const message = stringAt(objectAt(object ?? {}, 'error'), 'message');
  return classifyErrorReport({
    status: failure.status,
    isAboutCredential: isAboutCredential(failure.status, message),
    message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error that the upstream reports with HTTP 200, in a stream or as the whole body. */
export function errorInResponse(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = STATUS_OF_TYPE[stringAt(error, 'type')] ?? 500;
  const message = stringAt(error, 'message');
  return classifyErrorReport({
    status,
    isAboutCredential: isAboutCredential(status, message),
    message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ type: 'error', error }) },
  }).error;
}
