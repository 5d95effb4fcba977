import type { GatewayError } from '@gateway/contracts';
import { errorObjectOf, isJsonObject, objectAt, passThroughOf, stringAt } from '../failures/error-body.js';
import { classifyUpstreamFailure } from '../failures/judge-failure.js';
import { malformedAnswer, parseUpstreamJson } from '../failures/malformed-answer.js';
import { retryAfterMsOf } from '../failures/retry-after.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

/** What one error says, in whichever envelope. */
export interface LaneComplaint {
  readonly code: string;
  readonly type: string;
  readonly param: string;
  readonly message: string;
}

/** How one vendor's codes are to be understood. */
export interface LaneFailureRules {
  isAboutCredential(complaint: LaneComplaint, status: number): boolean;
  /** The HTTP status that an error inside a stream would have had. */
  statusOf(complaint: LaneComplaint): number;
}

/** Reads `{error:{…}}` and the bare `{code, message}` alike. */
function complaintOf(object: Readonly<Record<string, unknown>>): LaneComplaint {
  const error = isJsonObject(object.error) ? objectAt(object, 'error') : object;
  const message = stringAt(error, 'message') || stringAt(object, 'error');
  return { code: stringAt(error, 'code'), type: stringAt(error, 'type'), param: stringAt(error, 'param'), message };
}

export function readLaneFailure(failure: UpstreamFailure, rules: LaneFailureRules): ReadFailure {
  const object = errorObjectOf(failure.body);
  const complaint = complaintOf(object ?? {});
  return classifyUpstreamFailure({
    status: failure.status,
    isAboutCredential: rules.isAboutCredential(complaint, failure.status),
    message: complaint.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** The error that an upstream reports under HTTP 200, in a stream or as the whole body. */
export function laneErrorInAnswer(json: Uint8Array, rules: LaneFailureRules): GatewayError {
  const object = parseUpstreamJson(json);
  if (!isJsonObject(object)) return malformedAnswer();
  const complaint = complaintOf(object);
  const status = rules.statusOf(complaint);
  return classifyUpstreamFailure({
    status,
    isAboutCredential: rules.isAboutCredential(complaint, status),
    message: complaint.message,
    retryAfterMs: undefined,
    passThrough: {
      status,
      contentType: 'application/json',
      body: JSON.stringify({
        error: {
          message: complaint.message,
          type: complaint.type || 'invalid_request_error',
          param: complaint.param || null,
          code: complaint.code || null,
        },
      }),
    },
  }).error;
}
