import { type ClaimedRequest, RequestAbort, requestAbortReason, type SyncTicket } from '@gateway/contracts';

/** The upstream's response has not begun before the ticket's deadline. */
export class DeadlinePassed extends Error {}
/** The client has left, and the response has not ended in time. */
export class DetachedTooLong extends Error {}

/** A request whose edge waits was admitted so long ago at most, whatever the clocks say. */
const LONGEST_WAIT_MS = 60_000;

/** Why a ticket may end early: its client and edge, this worker, and its deadline. */
export interface AbortSources {
  readonly claimed: Pick<ClaimedRequest, 'signal' | 'left' | 'leftMs'>;
  readonly stop: AbortSignal;
  readonly ticket: Pick<SyncTicket, 'abortContract' | 'deadlineMs' | 'admittedAtMs'>;
  /** Called when the ticket continues without its client. */
  readonly onDetached: () => void;
  /** Called when a detached ticket loses its edge: no one else renews its hold and lease from then on. */
  readonly onOrphaned: () => void;
}

/**
 * Decides when a ticket's upstream call ends early, by its abort contract. `signal` aborts the call.
 * Call `dispose` once the ticket is over.
 */
export class TicketAbort {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;
  /** True if an upstream has the request, and has not rejected it. */
  #wasSent = false;
  #hasBegun = false;
  #isDetached = false;

  constructor(private readonly sources: AbortSources) {
    const { claimed, stop, ticket } = sources;
    this.#timer = this.#abortAfter(claimed.leftMs ?? timeLeftMs(ticket), () => new DeadlinePassed());
    follow(stop, this.#onStop);
    follow(claimed.signal, this.#onRequestAbort);
    follow(claimed.left, this.#onLeft);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The client has left and the response is read to its end. */
  get isDetached(): boolean {
    return this.#isDetached;
  }

  /** Ends the call for a reason of the gateway's own. */
  end(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** False: the upstream rejected the request, so that it bills nothing. */
  onSent(wasSent: boolean): void {
    this.#wasSent = wasSent;
    if (!wasSent) this.#endWait();
  }

  /** The response has begun: from now on only the idle time-out ends a stream, or a limit if the client has left. */
  onBegun(): void {
    this.#hasBegun = true;
    if (!this.#isDetached) clearTimeout(this.#timer);
    this.#endWait();
  }

  dispose(): void {
    const { claimed, stop } = this.sources;
    clearTimeout(this.#timer);
    stop.removeEventListener('abort', this.#onStop);
    claimed.signal.removeEventListener('abort', this.#onRequestAbort);
    claimed.left.removeEventListener('abort', this.#onLeft);
  }

  readonly #onStop = (): void => this.#controller.abort(this.sources.stop.reason);

  readonly #onRequestAbort = (): void => {
    const { claimed, onOrphaned } = this.sources;
    // Another worker has a kept request: this run ends, left or not.
    if (this.#isDetached && requestAbortReason(claimed.signal) !== null) onOrphaned();
    else if (!this.#waitsForPromptCount) this.#controller.abort(claimed.signal.reason);
  };

  #endWait(): void {
    if (this.sources.claimed.signal.aborted && !this.#isDetached) this.#onRequestAbort();
  }

  /** The first bytes bring the vendor's count of a prompt that it bills already. The client pays for no output until then. */
  get #waitsForPromptCount(): boolean {
    const isClient = ['client_closed', 'slow_client'].includes(requestAbortReason(this.sources.claimed.signal) ?? '');
    return isClient && this.#wasSent && !this.#hasBegun;
  }

  readonly #onLeft = (): void => {
    if (this.#controller.signal.aborted) return;
    if (!this.#wasSent) {
      this.#controller.abort(new RequestAbort('client_closed'));
      return;
    }
    this.#isDetached = true;
    const { admittedAtMs, deadlineMs } = this.sources.ticket;
    clearTimeout(this.#timer);
    this.#timer = this.#abortAfter(deadlineMs - admittedAtMs, () => new DetachedTooLong());
    this.sources.onDetached();
  };

  #abortAfter(timeMs: number, reason: () => Error): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(reason()), Math.max(0, timeMs));
  }
}

/** Until the deadline. A worker whose clock was set must not end all that it runs, nor let it run without an end. */
function timeLeftMs({ admittedAtMs, deadlineMs }: AbortSources['ticket']): number {
  const leftMs = deadlineMs - Date.now();
  const lastsMs = deadlineMs - admittedAtMs;
  return Math.min(lastsMs, Math.max(leftMs, lastsMs - LONGEST_WAIT_MS));
}

/** Also for a signal that has aborted already. */
function follow(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}
