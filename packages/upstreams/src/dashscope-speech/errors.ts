import type { GatewayError } from '@gateway/contracts';
import { isAboutDashScopeCredential, statusOfDashScopeError } from '../failures/dashscope-complaint.js';
import { errorObjectOf, type JsonObject, passThroughOf, stringAt } from '../failures/error-body.js';
import { judgeFailure } from '../failures/judge-failure.js';
import { retryAfterMsOf } from '../failures/retry-after.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

const complaintOf = (object: JsonObject) => ({
  code: stringAt(object, 'code'),
  type: '',
  message: stringAt(object, 'message'),
});

/** The native envelope, `{code, message, request_id}`, which is also what clients of this endpoint are told. */
export function readFailure(failure: UpstreamFailure): ReadFailure {
  const object = errorObjectOf(failure.body);
  const complaint = complaintOf(object ?? {});
  return judgeFailure({
    status: failure.status,
    isAboutCredential: isAboutDashScopeCredential(complaint),
    message: complaint.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** An error that came as an event under a status of 200. */
export function errorInStream(object: JsonObject): GatewayError {
  const complaint = complaintOf(object);
  const status = statusOfDashScopeError(complaint);
  return judgeFailure({
    status,
    isAboutCredential: isAboutDashScopeCredential(complaint),
    message: complaint.message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify(object) },
  }).error;
}
