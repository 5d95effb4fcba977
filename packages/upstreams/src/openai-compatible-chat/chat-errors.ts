import { type GatewayError, isJsonObject } from '@gateway/contracts';
import type { AccountFault } from '../failures/account-fault.js';
import { classifyErrorReport } from '../failures/classify-error-report.js';
import { errorObjectOf, passThroughOf } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { retryAfterMsOf } from '../failures/retry-after.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

/** Fields of one error, in either envelope. */
export interface ChatErrorFields {
  readonly code: string;
  readonly type: string;
  readonly param: string;
  readonly message: string;
}

/** Vendor-specific meaning of error codes. */
export interface ChatErrorRules {
  /** Set if the error concerns the gateway's account or its models. */
  accountFaultOf(fields: ChatErrorFields, status: number): AccountFault | undefined;
  /** HTTP status for an error inside a 200 response. */
  statusOf(fields: ChatErrorFields): number;
}

/** Reads both envelopes: `{error: {…}}` and the bare `{code, message}`. */
function errorFieldsOf(object: Readonly<Record<string, unknown>>): ChatErrorFields {
  const error = isJsonObject(object.error) ? objectAt(object, 'error') : object;
  const message = stringAt(error, 'message') || stringAt(object, 'error');
  return { code: stringAt(error, 'code'), type: stringAt(error, 'type'), param: stringAt(error, 'param'), message };
}

/** Classifies a response whose status is not 2xx. */
export function readChatFailure(failure: UpstreamFailure, rules: ChatErrorRules): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const fields = errorFieldsOf(object ?? {});
  return classifyErrorReport({
    status: failure.status,
    accountFault: rules.accountFaultOf(fields, failure.status),
    message: fields.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error that an upstream reports with HTTP 200, in a stream or as the whole body. */
export function chatErrorInResponse(json: Uint8Array, rules: ChatErrorRules): GatewayError {
  const object = parseUpstreamJson(json);
  if (!isJsonObject(object)) return malformedResponse();
  const fields = errorFieldsOf(object);
  const status = rules.statusOf(fields);
  return classifyErrorReport({
    status,
    accountFault: rules.accountFaultOf(fields, status),
    message: fields.message,
    retryAfterMs: undefined,
    passThrough: {
      status,
      contentType: 'application/json',
      body: JSON.stringify({
        error: {
          message: fields.message,
          type: fields.type || 'invalid_request_error',
          param: fields.param || null,
          code: fields.code || null,
        },
      }),
    },
  }).error;
}
