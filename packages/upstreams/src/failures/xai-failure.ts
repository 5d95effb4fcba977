import type { GatewayError } from '@gateway/contracts';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';
import { errorObjectOf, isJsonObject, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { classifyUpstreamFailure } from './judge-failure.js';
import { retryAfterMsOf } from './retry-after.js';

interface Complaint {
  readonly code: string;
  readonly message: string;
}

const CREDENTIAL_WORDS =
  /api key|credits|spending limit|permission|team .*(blocked|disabled)|model .*(not found|not exist)/i;
const CLIENT_FAULT = /invalid argument|invalid_request|content.moderation|deserialize/i;

/** Three envelopes: `{error:{message, code}}`, `{code, error}` and `{error}`. */
function complaintOf(object: JsonObject): Complaint {
  if (!isJsonObject(object.error)) return { code: stringAt(object, 'code'), message: stringAt(object, 'error') };
  const error = objectAt(object, 'error');
  return { code: stringAt(error, 'code'), message: stringAt(error, 'message') };
}

const isAboutCredential = ({ code, message }: Complaint, status: number): boolean =>
  (status === 404 || status === 400) && CREDENTIAL_WORDS.test(`${code} ${message}`);

/** Errors: docs.x.ai/docs/key-information/debugging. */
export function readXaiFailure(failure: UpstreamFailure): ReadFailure {
  const object = errorObjectOf(failure.body);
  const complaint = complaintOf(object ?? {});
  return classifyUpstreamFailure({
    status: failure.status,
    isAboutCredential: isAboutCredential(complaint, failure.status),
    message: complaint.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** The error that the upstream reports under HTTP 200. */
export function xaiErrorInAnswer(object: JsonObject): GatewayError {
  const complaint = complaintOf(object);
  const status = CLIENT_FAULT.test(`${complaint.code} ${complaint.message}`) ? 400 : 500;
  return classifyUpstreamFailure({
    status,
    isAboutCredential: isAboutCredential(complaint, status),
    message: complaint.message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify(object) },
  }).error;
}
