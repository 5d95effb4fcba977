import type { GatewayError } from '@gateway/contracts';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';
import { type DashScopeComplaint, isAboutDashScopeCredential, statusOfDashScopeError } from './dashscope-complaint.js';
import { errorObjectOf, isJsonObject, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { classifyUpstreamFailure } from './judge-failure.js';
import { retryAfterMsOf } from './retry-after.js';

/** The native envelope `{request_id, code, message}`; a proxy before it may use the compatible one. */
function complaintOf(object: JsonObject): DashScopeComplaint {
  const error = isJsonObject(object.error) ? objectAt(object, 'error') : object;
  return { code: stringAt(error, 'code'), type: stringAt(error, 'type'), message: stringAt(error, 'message') };
}

export function readDashScopeNativeFailure(failure: UpstreamFailure): ReadFailure {
  const object = errorObjectOf(failure.body);
  const complaint = complaintOf(object ?? {});
  return classifyUpstreamFailure({
    status: failure.status,
    isAboutCredential: isAboutDashScopeCredential(complaint),
    message: complaint.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** The error that the upstream reports under HTTP 200. */
export function dashScopeErrorInAnswer(object: JsonObject): GatewayError {
  const complaint = complaintOf(object);
  const status = statusOfDashScopeError(complaint);
  return classifyUpstreamFailure({
    status,
    isAboutCredential: isAboutDashScopeCredential(complaint),
    message: complaint.message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify(object) },
  }).error;
}
