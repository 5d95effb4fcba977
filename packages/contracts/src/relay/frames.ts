import type { ErrorRecord } from '../errors/gateway-error.js';

/*
 * Frames of the relay: one WebSocket for each (worker, edge) pair, many requests on it. A binary message is
 * [type: 1 byte][request id: 30 bytes of ASCII][payload]. Payloads are JSON (UTF-8) unless said otherwise.
 */
export const FRAME = {
  /** worker → edge `{claimToken, workerId}`: I have this ticket, may I run it? */
  claim: 1,
  /** edge → worker: yes; the payload is [length: u32][`GrantHead` as JSON][first bytes of the client's request body]. */
  grant: 2,
  /**
   * edge → worker, empty: no; nobody waits for it, or another worker runs it.
   * worker → edge, empty: the grant came too late, this worker will not run it.
   */
  deny: 3,
  /** worker → edge `ResponseHead`: status and headers. */
  head: 4,
  /** worker → edge raw bytes of the answer, in order. */
  data: 5,
  /** worker → edge `ResponseEnd`: the answer is whole. */
  end: 6,
  /** worker → edge `FailPayload`: the answer cannot be given, or breaks off here. */
  fail: 7,
  /** worker → edge `MeterReading`: what has been used so far, so that the edge can settle if the worker dies. */
  meter: 8,
  /** edge → worker, empty: the client reads slowly, send no more `data`. */
  pause: 9,
  /** edge → worker, empty: go on. */
  resume: 10,
  /** edge → worker `{reason}`: stop, nobody reads any more. */
  cancel: 11,
  /** edge → worker raw bytes: the next part of a request body that was too long for its grant, in order. */
  body: 12,
} as const;

export type FrameType = (typeof FRAME)[keyof typeof FRAME];

export const REQUEST_ID_BYTES = 30;
export const FRAME_HEAD_BYTES = 1 + REQUEST_ID_BYTES;

export interface ClaimPayload {
  readonly claimToken: string;
  readonly workerId: string;
}

export interface GrantHead {
  /** Bytes of the whole request body; what the grant itself does not hold follows in `body` frames. */
  readonly bodyBytes: number;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResponseEnd {
  /** Nano-USD as digits. */
  readonly costNanoUsd: string;
  /** What the customer has left, if it was known by then. */
  readonly balanceNanoUsd?: string;
}

export interface MeterReading {
  readonly units: Readonly<Record<string, number>>;
  readonly inputTokensTotal: number;
  readonly isEstimated: boolean;
}

export const CANCEL_REASONS = ['client_closed', 'deadline', 'slow_client', 'edge_draining'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

export interface CancelPayload {
  readonly reason: CancelReason;
}

export interface FailPayload extends ErrorRecord {
  /** What it cost all the same, and what is left. */
  readonly settled?: ResponseEnd;
}
