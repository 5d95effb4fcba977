import type { GatewayError, JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { type AccountFault, type AccountFaultSubject, byCode, byWords } from './account-fault.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

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

/** `error.details.error_code` of the vendor's SDK, with any status. It asks to match these before any words. */
const ACCOUNT_CODES: readonly (readonly [RegExp, AccountFaultSubject])[] = [
  [/_spend_limit_reached$|_billing_unavailable$/, 'spent'],
  [/^organization_on_hold$|^organization_type_not_supported$|^parent_organization_required$|^cmek_key_/, 'credential'],
];
/** Sentences of the vendor, whole from their start: older responses have no code. */
const SPENT_ACCOUNT =
  /^(Your credit balance is too low|You have reached your (specified )?(workspace )?API usage limits)/i;
const DISABLED_ORGANIZATION = /^This organization has been disabled/i;
const MISSING_MODEL = /^model\b/i;

function accountFaultOf(error: JsonObject, status: number): AccountFault | undefined {
  const code = stringAt(objectAt(error, 'details'), 'error_code');
  const subject = ACCOUNT_CODES.find(([codes]) => codes.test(code))?.[1];
  if (subject !== undefined) return byCode(subject);
  const message = stringAt(error, 'message');
  if (SPENT_ACCOUNT.test(message)) return byCode('spent');
  if (DISABLED_ORGANIZATION.test(message)) return byCode('credential');
  return status === 404 && MISSING_MODEL.test(message) ? byWords('model') : undefined;
}

/** Envelope `{type: 'error', error: {type, message}}`: platform.claude.com/docs/en/api/errors. */
export function readAnthropicFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  return classifyErrorReport({
    status: failure.status,
    accountFault: accountFaultOf(error, failure.status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error that the upstream reports with HTTP 200, in a stream or as the whole body. */
export function anthropicErrorInResponse(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = STATUS_OF_TYPE[stringAt(error, 'type')] ?? 500;
  return classifyErrorReport({
    status,
    accountFault: accountFaultOf(error, status),
    message: stringAt(error, 'message'),
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ type: 'error', error }) },
  }).error;
}
