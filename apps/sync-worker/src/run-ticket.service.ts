import { GatewayError, type ResponseEnd, type SyncTicket, type UpstreamAttempt, type Usage } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { Requeued } from '@gateway/redis';
import { type RelayPool, type RequestStream, relayAbortReason } from '@gateway/relay';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { ExecutePlan } from './execute-plan.service.js';
import { classifyInterruption } from './handle-interruption/classify-interruption.js';
import { errorForClient } from './handle-interruption/error-for-client.js';
import { TicketAbort } from './handle-interruption/ticket-abort.js';
import type { WorkerMetrics } from './metrics.js';
import type { OpenedResponse, StreamResponse, UnaryResponse } from './opened-response.js';
import { PublishResponse } from './publish-response/publish-response.service.js';
import { ReportUsage, type Settled, type UsageReport } from './report-usage/report-usage.service.js';
import { LOGGER, RELAY_POOL, WORKER_METRICS } from './tokens.js';

const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');
const INTERNAL = new GatewayError('internal_error', 'The server had an error while processing your request.');

/** One claimed ticket, with what its settlement needs. */
interface TicketRun {
  readonly ticket: SyncTicket;
  readonly claimed: RequestStream;
  readonly attempts: UpstreamAttempt[];
  readonly startedAtMs: number;
  /** Meters the current response. */
  reader: StreamReader | undefined;
  firstByteAtMs: number | undefined;
}

/** Runs one ticket: claim, call the upstream, publish the response, settle. Settles every claimed ticket exactly once. */
@Injectable()
export class RunTicket {
  constructor(
    @Inject(RELAY_POOL) private readonly relay: RelayPool,
    private readonly plans: ExecutePlan,
    private readonly publish: PublishResponse,
    private readonly usage: ReportUsage,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `stop` aborts at shutdown: it interrupts a running ticket, which is then settled. */
  async run(ticket: SyncTicket, stop: AbortSignal): Promise<Requeued | undefined> {
    const claimed = await this.relay.claim(ticket);
    if (claimed === 'denied' || claimed === 'unreachable') {
      this.metrics.tickets.inc({ outcome: claimed });
      // Denied: the edge has settled the request, or another worker runs it. Unreachable: another worker may reach the edge.
      return claimed === 'unreachable' ? 'requeue' : undefined;
    }
    this.metrics.queueWaitSeconds.observe(Math.max(0, Date.now() - ticket.admittedAtMs) / 1_000);
    const startedAtMs = Date.now();
    const run: TicketRun = { ticket, claimed, attempts: [], startedAtMs, reader: undefined, firstByteAtMs: undefined };
    try {
      await this.#respond(run, stop);
    } catch (error) {
      await this.#interrupt(run, error, stop);
    }
    return undefined;
  }

  async #respond(run: TicketRun, stop: AbortSignal): Promise<void> {
    const abort = new TicketAbort([run.claimed.signal, stop], run.ticket.deadlineMs);
    try {
      const opened = await this.#open(run, abort.signal);
      run.firstByteAtMs = Date.now();
      if (opened.kind === 'unary') return await this.#sendUnary(run, opened);
      abort.liftDeadline();
      await this.#sendStream(run, opened);
    } finally {
      abort.dispose();
    }
  }

  /** A separate method, so that the request body is freed before a long response is sent. */
  #open(run: TicketRun, signal: AbortSignal): Promise<OpenedResponse> {
    return this.plans.open(run.ticket, run.claimed.takeBody(), {
      signal,
      attempts: run.attempts,
      onReader: (reader) => {
        run.reader = reader;
      },
    });
  }

  /** Settles first: cost and balance go into the headers. */
  async #sendUnary(run: TicketRun, response: UnaryResponse): Promise<void> {
    const { ticket, claimed } = run;
    const settled = await this.usage.settle(ticket, reportOf(run, 'completed', response.usage));
    claimed.head({
      status: 200,
      ...(response.changes !== undefined && { changes: response.changes }),
      headers: {
        'content-type': response.contentType ?? 'application/json; charset=utf-8',
        'content-length': String(response.body.length),
        'x-cost-usd': formatUsd(settled.costNanoUsd),
        ...(settled.balanceNanoUsd !== undefined && { 'x-balance-usd': formatUsd(settled.balanceNanoUsd) }),
      },
    });
    claimed.data(response.body);
    claimed.end({ costNanoUsd: settled.costNanoUsd.toString() });
    this.metrics.tickets.inc({ outcome: 'completed' });
  }

  async #sendStream(run: TicketRun, response: StreamResponse): Promise<void> {
    const { ticket, claimed } = run;
    try {
      await this.publish.stream(response, this.#streamHeaders(ticket, response), claimed);
    } finally {
      response.release();
    }
    const settled = await this.usage.settle(ticket, reportOf(run, 'completed', response.reader.usage()));
    claimed.end(endOf(settled));
    this.metrics.tickets.inc({ outcome: 'completed' });
  }

  #streamHeaders(ticket: SyncTicket, { contentType, totalUsage }: StreamResponse): Record<string, string> {
    return {
      'content-type': contentType,
      ...(totalUsage !== undefined && { 'x-cost-usd': formatUsd(this.usage.costOf(ticket, totalUsage)) }),
    };
  }

  /** Settles the usage so far and sends the edge the error. */
  async #interrupt(run: TicketRun, thrown: unknown, stop: AbortSignal): Promise<void> {
    const { ticket, claimed, reader } = run;
    const isAborted = relayAbortReason(claimed.signal) !== null;
    const error = isAborted ? CANCELLED : (errorForClient(thrown, stop.aborted) ?? INTERNAL);
    if (error === INTERNAL) this.logger.error({ requestId: ticket.requestId, err: thrown }, 'ticket failed internally');
    const isStarted = run.firstByteAtMs !== undefined;
    const { outcome, settledAs, usage } = classifyInterruption({ reader, isStarted, isAborted });
    const settled = await this.usage.settle(ticket, reportOf(run, settledAs, usage, error.code));
    claimed.fail({ ...error.toRecord(), settled: endOf(settled) });
    this.metrics.tickets.inc({ outcome });
  }
}

const endOf = ({ costNanoUsd, balanceNanoUsd }: Settled): ResponseEnd => ({
  costNanoUsd: costNanoUsd.toString(),
  ...(balanceNanoUsd !== undefined && { balanceNanoUsd: balanceNanoUsd.toString() }),
});

function reportOf(run: TicketRun, outcome: UsageReport['outcome'], usage: Usage, errorCode?: string): UsageReport {
  const { attempts, startedAtMs, firstByteAtMs } = run;
  return { outcome, usage, attempts, startedAtMs, firstByteAtMs, errorCode };
}
