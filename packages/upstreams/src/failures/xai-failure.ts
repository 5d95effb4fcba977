import { type GatewayError, isJsonObject, type JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { type AccountFault, byCode, byWords } from './account-fault.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

interface XaiErrorFields {
  readonly code: string;
  readonly message: string;
}

/** The vendor has no codes for these: `code` is a sentence that does not separate them. */
const SPENT = /used all available credits|spending limit|have any credits|purchase (more )?credits/i;
const MISSING_MODEL = /model .*(not found|not exist)/i;
/** With status 400. */
const REFUSED_KEY = /^Incorrect API key provided/i;
const REFUSED_CREDENTIAL = /api key|permission|team .*(blocked|disabled)/i;
const CLIENT_FAULT = /invalid argument|invalid_request|content.moderation|deserialize/i;

/** Reads the vendor's three envelopes: `{error: {message, code}}`, `{code, error}` and `{error}`. */
function errorFieldsOf(object: JsonObject): XaiErrorFields {
  if (!isJsonObject(object.error)) return { code: stringAt(object, 'code'), message: stringAt(object, 'error') };
  const error = objectAt(object, 'error');
  return { code: stringAt(error, 'code'), message: stringAt(error, 'message') };
}

function accountFaultOf({ code, message }: XaiErrorFields, status: number): AccountFault | undefined {
  const words = `${code} ${message}`;
  if (SPENT.test(words)) return byWords('spent');
  if (status !== 400 && status !== 404) return undefined;
  if (REFUSED_KEY.test(message)) return byCode('credential');
  if (MISSING_MODEL.test(words)) return byWords('model');
  return REFUSED_CREDENTIAL.test(words) ? byWords('credential') : undefined;
}

/** Errors: docs.x.ai/docs/key-information/debugging. */
export function readXaiFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const fields = errorFieldsOf(object ?? {});
  return classifyErrorReport({
    status: failure.status,
    accountFault: accountFaultOf(fields, failure.status),
    message: fields.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error that the upstream reports with HTTP 200. */
export function xaiErrorInResponse(object: JsonObject): GatewayError {
  const fields = errorFieldsOf(object);
  const status = CLIENT_FAULT.test(`${fields.code} ${fields.message}`) ? 400 : 500;
  return classifyErrorReport({
    status,
    accountFault: accountFaultOf(fields, status),
    message: fields.message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify(object) },
  }).error;
}
