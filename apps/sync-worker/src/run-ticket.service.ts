import type { ClaimedRequest, RequestOrigin, SyncTicket } from '@gateway/contracts';
import type { Requeued } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { EndTicket, type TicketRun } from './end-ticket.service.js';
import { ExecutePlan } from './execute-plan.service.js';
import { KeepLeases } from './handle-interruption/keep-leases.service.js';
import { DetachedTooLong, TicketAbort } from './handle-interruption/ticket-abort.js';
import { NameImages } from './keep-images/name-images.service.js';
import type { WorkerMetrics } from './observability/metrics.js';
import type { OpenedResponse } from './opened-response.js';
import { REQUEST_ORIGIN, WORKER_METRICS } from './tokens.js';

/** Runs one ticket: claim, call the upstream, publish the response, settle. Settles every claimed ticket exactly once. */
@Injectable()
export class RunTicket {
  constructor(
    @Inject(REQUEST_ORIGIN) private readonly origin: RequestOrigin,
    private readonly plans: ExecutePlan,
    private readonly images: NameImages,
    private readonly ending: EndTicket,
    private readonly leases: KeepLeases,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  /** `stop` aborts at shutdown: it interrupts a running ticket, which is then settled. `onClaimed`: its origin now watches this worker. */
  async run(ticket: SyncTicket, stop: AbortSignal, onClaimed: () => void): Promise<Requeued | undefined> {
    const claimed = await this.origin.claim(ticket);
    if (claimed === 'denied' || claimed === 'unreachable') {
      this.metrics.tickets.inc({ outcome: claimed });
      // Denied: the request is settled, or another worker runs it. Unreachable: another worker may reach its origin.
      return claimed === 'unreachable' ? 'requeue' : undefined;
    }
    onClaimed();
    this.metrics.queueWaitSeconds.observe(Math.max(0, Date.now() - ticket.admittedAtMs) / 1_000);
    const run = this.#begin(ticket, claimed, stop);
    let failure: unknown;
    try {
      await this.#respond(run);
    } catch (error) {
      // A cancelled call rejects with the transport's error: the reason of the abort is the cause.
      failure = run.abort.signal.aborted ? run.abort.signal.reason : error;
      await this.ending.interrupt(run, failure, stop);
    } finally {
      this.#end(run, failure, stop);
    }
    return undefined;
  }

  #begin(ticket: SyncTicket, claimed: ClaimedRequest, stop: AbortSignal): TicketRun {
    const abort = new TicketAbort({
      claimed,
      stop,
      ticket,
      onDetached: () => this.metrics.detachedRunning.inc(),
      onOrphaned: () => this.leases.keep(ticket),
    });
    return {
      ticket,
      claimed,
      abort,
      attempts: [],
      startedAtMs: Date.now(),
      reader: undefined,
      sentStatus: undefined,
      changes: undefined,
      firstByteAtMs: undefined,
      close: undefined,
    };
  }

  async #respond(run: TicketRun): Promise<void> {
    const opened = await this.images.name(run.ticket, await this.#open(run));
    run.firstByteAtMs = Date.now();
    run.changes = opened.changes ?? run.changes;
    run.abort.onBegun();
    await this.ending.send(run, opened);
  }

  /** A separate method, so that the request body is freed before a long response is sent. */
  #open(run: TicketRun): Promise<OpenedResponse> {
    return this.plans.open(run.ticket, run.claimed.takeBody(), {
      signal: run.abort.signal,
      attempts: run.attempts,
      onSent: (wasSent) => run.abort.onSent(wasSent),
      onChanges: (changes) => {
        run.changes = changes;
      },
      onReader: (reader) => {
        run.reader = reader;
      },
      onPlanned: (close) => {
        run.close = close;
      },
    });
  }

  #end({ abort, ticket, close }: TicketRun, failure: unknown, stop: AbortSignal): void {
    close?.();
    abort.dispose();
    if (!abort.isDetached) return;
    this.leases.release(ticket);
    this.metrics.detachedRunning.dec();
    const failed = failure instanceof DetachedTooLong ? 'deadline' : stop.aborted ? 'stopped' : 'failed';
    this.metrics.detachedReads.inc({ outcome: failure === undefined ? 'completed' : failed });
  }
}
