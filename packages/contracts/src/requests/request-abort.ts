import type { CancelReason } from '../relay/frames.js';

export type RequestAbortReason = CancelReason | 'edge_lost';

/** The `reason` of a claimed request's abort signal. */
export class RequestAbort extends Error {
  constructor(readonly reason: RequestAbortReason) {
    super(
      reason === 'edge_lost' ? 'the connection to the edge was lost' : `the edge cancelled this request: ${reason}`,
    );
    this.name = 'RequestAbort';
  }
}

/** Another worker has the request, and settles it. */
export class RequestTakenOver extends Error {
  constructor(requestId: string) {
    super(`another worker has taken over ${requestId}`);
    this.name = 'RequestTakenOver';
  }
}

/** Why the edge stopped the request; null if something else aborted the signal, or nothing did. */
export function requestAbortReason(signal: AbortSignal): RequestAbortReason | null {
  return signal.reason instanceof RequestAbort ? signal.reason.reason : null;
}
