import type { ErrorRecord } from '../errors/gateway-error.js';
import type { UsageSettled } from '../events/usage-settled.event.js';
import type { SyncTicket } from '../jobs/sync-ticket.job.js';
import type { FailPayload, MeterReading, ResponseEnd, ResponseHead } from '../relay/frames.js';

/** Where the body of a claimed request waits: in the memory of its edge, or in the store. */
export interface RequestSource {
  /** Returns the client's request body and frees it, so that memory does not hold it during the response. Throws if called twice. */
  takeBody(): Buffer;
}

/** A response that is about to be settled. */
export interface ResponseEnding {
  /** The settlement that follows. */
  readonly settlement: UsageSettled;
  /** A response that is no stream: nothing of it was written before. Its head has no headers of the settlement. */
  readonly whole?: { readonly head: ResponseHead; readonly body: Uint8Array };
  /** Why there is no response, or why it is incomplete. */
  readonly failure?: ErrorRecord;
}

/**
 * Where the response of a claimed request goes: to the socket of its edge, or to the store. The writing methods never
 * throw; if the response has no reader any more, they do nothing and `signal` aborts. `end` or `fail` finishes the request.
 */
export interface ResponseSink {
  /** Aborts with a RequestAbort when the request is cancelled or its edge is lost; never after `end` or `fail`. */
  readonly signal: AbortSignal;
  /** Aborts when the client leaves a request that completes without it. */
  readonly left: AbortSignal;
  head(head: ResponseHead): void;
  data(bytes: Uint8Array): void;
  /**
   * Backpressure. Undefined: continue. Otherwise await it before reading more from the upstream: it resolves when the reader
   * reads again and the connection has drained, or when the request aborts.
   */
  ready(): Promise<void> | undefined;
  meter(reading: MeterReading): void;
  /**
   * Called before the settlement: what must outlive this process is stored now. Undefined: nothing must. Rejects with
   * `response_not_stored` or RequestTakenOver; then `ending` must not be settled.
   */
  keep(ending: ResponseEnding): Promise<void> | undefined;
  /** Undefined: the process may stop at once. */
  end(end: ResponseEnd): Promise<void> | undefined;
  fail(failure: FailPayload): Promise<void> | undefined;
}

/** A claimed request: only this worker may run it. */
export interface ClaimedRequest extends RequestSource, ResponseSink {
  readonly requestId: string;
  /** From its claim to its deadline, by the clock of its store. Absent: only its ticket says when that is. */
  readonly leftMs?: number;
}

/**
 * The answer to a claim. `denied`: another worker runs the request, or it has ended: drop the ticket. `unreachable`: this
 * worker cannot reach it: requeue the ticket, since another worker may.
 */
export type Claim = ClaimedRequest | 'denied' | 'unreachable';

/** Holds requests until a worker claims them. */
export interface RequestOrigin {
  claim(ticket: SyncTicket): Promise<Claim>;
}
