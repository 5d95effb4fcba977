import type { GatewayError } from '@gateway/contracts';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** Codes about the account or its activated models, with any status. */
const ABOUT_CREDENTIAL =
  /^(AuthenticationError|InvalidAccountStatus|AccountOverdueError|AccessDenied|OperationDenied|InvalidEndpointOrModel|InvalidEndpoint\.|ModelNotOpen|UnsupportedModel|QuotaExceeded|SetLimitExceeded)/;
const CLIENT_FAULT = /^(MissingParameter|InvalidParameter|Invalid(ImageURL|ArgumentError)|\w*SensitiveContentDetected)/;
const THROTTLING = /(RateLimitExceeded|InflightBatchsizeExceeded|RequestBurstTooFast|ServerOverloaded)/;

const isAboutCredential = (error: JsonObject): boolean => ABOUT_CREDENTIAL.test(stringAt(error, 'code'));

function statusOf(code: string): number {
  if (CLIENT_FAULT.test(code)) return 400;
  return THROTTLING.test(code) ? 429 : 500;
}

/** Envelope `{error: {code, message}}`: docs.byteplus.com/en/docs/ModelArk/1299023. */
export function readArkFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  return classifyErrorReport({
    status: failure.status,
    isAboutCredential: isAboutCredential(error),
    message: stringAt(error, 'message'),
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error that the upstream reports with HTTP 200. */
export function arkErrorInResponse(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = statusOf(stringAt(error, 'code'));
  return classifyErrorReport({
    status,
    isAboutCredential: isAboutCredential(error),
    message: stringAt(error, 'message'),
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ error }) },
  }).error;
}
