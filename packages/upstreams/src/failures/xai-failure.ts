import type { GatewayError } from '@gateway/contracts';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, isJsonObject, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

interface XaiErrorFields {
  readonly code: string;
  readonly message: string;
}

const CREDENTIAL_WORDS =
  /api key|credits|spending limit|permission|team .*(blocked|disabled)|model .*(not found|not exist)/i;
const CLIENT_FAULT = /invalid argument|invalid_request|content.moderation|deserialize/i;

/** Reads the vendor's three envelopes: `{error: {message, code}}`, `{code, error}` and `{error}`. */
function errorFieldsOf(object: JsonObject): XaiErrorFields {
  if (!isJsonObject(object.error)) return { code: stringAt(object, 'code'), message: stringAt(object, 'error') };
  const error = objectAt(object, 'error');
  return { code: stringAt(error, 'code'), message: stringAt(error, 'message') };
}

const isAboutCredential = ({ code, message }: XaiErrorFields, status: number): boolean =>
  (status === 404 || status === 400) && CREDENTIAL_WORDS.test(`${code} ${message}`);

/** Errors: docs.x.ai/docs/key-information/debugging. */
export function readXaiFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const fields = errorFieldsOf(object ?? {});
  return classifyErrorReport({
    status: failure.status,
    isAboutCredential: isAboutCredential(fields, failure.status),
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
    isAboutCredential: isAboutCredential(fields, status),
    message: fields.message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify(object) },
  }).error;
}
