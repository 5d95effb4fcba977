import type { GatewayError, JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { type AccountFault, type AccountFaultSubject, byCode } from './account-fault.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** Codes about the account or its activated models, with any status: docs.byteplus.com/en/docs/ModelArk/1299023. */
const ACCOUNT_CODES: readonly (readonly [RegExp, AccountFaultSubject])[] = [
  [/^(AccountOverdueError|QuotaExceeded|SetLimitExceeded)/, 'spent'],
  [/^(AuthenticationError|InvalidAccountStatus)/, 'credential'],
  [/^(AccessDenied|OperationDenied|InvalidEndpointOrModel|InvalidEndpoint\.|ModelNotOpen|UnsupportedModel)/, 'model'],
];
const CLIENT_FAULT = /^(MissingParameter|InvalidParameter|Invalid(ImageURL|ArgumentError)|\w*SensitiveContentDetected)/;
const THROTTLING = /(RateLimitExceeded|InflightBatchsizeExceeded|RequestBurstTooFast|ServerOverloaded)/;

function accountFaultOf(error: JsonObject): AccountFault | undefined {
  const code = stringAt(error, 'code');
  const subject = ACCOUNT_CODES.find(([codes]) => codes.test(code))?.[1];
  return subject === undefined ? undefined : byCode(subject);
}

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
    accountFault: accountFaultOf(error),
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
    accountFault: accountFaultOf(error),
    message: stringAt(error, 'message'),
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ error }) },
  }).error;
}
