import type { Changes } from '../api/changes.js';
import type { ErrorRecord } from '../errors/gateway-error.js';

/*
 * Frames of the relay. One WebSocket for each (worker, edge) pair carries many requests. A binary message is
 * `[type: 1 byte][request id: 30 bytes of ASCII][payload]`. A payload is JSON (UTF-8) unless its comment differs.
 */
export const FRAME = {
  /** worker → edge `ClaimPayload`: the worker has the ticket and requests to run it. */
  claim: 1,
  /** edge → worker: the claim is granted. Payload: `[length: u32][GrantHead as JSON][first bytes of the request body]`. */
  grant: 2,
  /**
   * edge → worker, empty: the claim is denied; the request is over or another worker runs it.
   * worker → edge, empty: the grant came too late, this worker does not run the request.
   */
  deny: 3,
  /** worker → edge `ResponseHead`: status and headers. */
  head: 4,
  /** worker → edge, raw: bytes of the response, in order. */
  data: 5,
  /** worker → edge `ResponseEnd`: the response is complete. */
  end: 6,
  /** worker → edge `FailPayload`: there is no response, or it breaks off here. */
  fail: 7,
  /** worker → edge `MeterReading`: usage so far, so that the edge can settle if the worker dies. */
  meter: 8,
  /** edge → worker, empty: the client reads slowly; stop sending `data`. */
  pause: 9,
  /** edge → worker, empty: continue sending `data`. */
  resume: 10,
  /** edge → worker `CancelPayload`: stop, the response has no reader any more. */
  cancel: 11,
  /** edge → worker, raw: the next bytes of a request body that did not fit its grant, in order. */
  body: 12,
  /** edge → worker `LeavePayload`: the client has left a request that completes without it. */
  leave: 13,
} as const;

export type FrameType = (typeof FRAME)[keyof typeof FRAME];

export const REQUEST_ID_BYTES = 30;
export const FRAME_HEAD_BYTES = 1 + REQUEST_ID_BYTES;

export interface ClaimPayload {
  readonly claimToken: string;
  readonly workerId: string;
}

export interface GrantHead {
  /** Bytes of the complete request body. The part that does not fit the grant follows in `body` frames. */
  readonly bodyBytes: number;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the adapter changed in the request. The edge adds its own changes, and reports both. */
  readonly changes?: Changes;
}

export interface ResponseEnd {
  /** Nano-USD as digits. */
  readonly costNanoUsd: string;
  /** The account's balance in nano-USD as digits; absent if Redis did not confirm in time. */
  readonly balanceNanoUsd?: string;
}

export interface MeterReading {
  readonly units: Readonly<Record<string, number>>;
  readonly inputTokensTotal: number;
  readonly isEstimated: boolean;
  readonly isPromptCounted?: true;
}

export const CANCEL_REASONS = ['client_closed', 'deadline', 'slow_client', 'edge_draining'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

export interface CancelPayload {
  readonly reason: CancelReason;
}

export interface LeavePayload {
  /** False: no one reads the response any more, so the worker sends no further `data`. */
  readonly wantsResponse: boolean;
}

export interface FailPayload extends ErrorRecord {
  /** What the adapter changed in the request that failed. */
  readonly changes?: Changes;
  /** The settlement of a failed request. */
  readonly settled?: ResponseEnd;
}
