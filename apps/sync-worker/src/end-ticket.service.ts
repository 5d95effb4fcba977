import {
  type Changes,
  type ClaimedRequest,
  changesPart,
  GatewayError,
  RequestTakenOver,
  type ResponseEnding,
  type ResponseHead,
  requestAbortReason,
  type SyncTicket,
  type UpstreamAttempt,
  type Usage,
} from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { classifyInterruption } from './handle-interruption/classify-interruption.js';
import { errorForClient } from './handle-interruption/error-for-client.js';
import { LimitSpending } from './handle-interruption/limit-spending.service.js';
import { DetachedTooLong, type TicketAbort } from './handle-interruption/ticket-abort.js';
import type { WorkerMetrics } from './observability/metrics.js';
import type { OpenedResponse, StreamResponse, UnaryResponse } from './opened-response.js';
import { PublishResponse } from './publish-response/publish-response.service.js';
import { sendWhole } from './publish-response/send-whole.js';
import { ReportUsage, type Settled, settledEnd, type UsageReport } from './report-usage/report-usage.service.js';
import { LOGGER, WORKER_METRICS } from './tokens.js';

const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');
const INTERNAL = new GatewayError('internal_error', 'The server had an error while processing your request.');
const OK = 200;
const READINGS_PER_CHECK = 4;
const NO_INPUT = { units: {}, inputTokensTotal: 0 };

/** One claimed ticket, with what its settlement needs. */
export interface TicketRun {
  readonly ticket: SyncTicket;
  readonly claimed: ClaimedRequest;
  readonly abort: TicketAbort;
  readonly attempts: UpstreamAttempt[];
  readonly startedAtMs: number;
  /** Meters the current response. */
  reader: StreamReader | undefined;
  /** The status of a stream, whose head goes out before it ends. */
  sentStatus: number | undefined;
  changes: Changes | undefined;
  firstByteAtMs: number | undefined;
  /** Frees what its plan keeps. */
  close: (() => void) | undefined;
}

/** Ends a claimed ticket once: sends its response and settles it, or settles what an interruption left. */
@Injectable()
export class EndTicket {
  constructor(
    private readonly publish: PublishResponse,
    private readonly usage: ReportUsage,
    private readonly spending: LimitSpending,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws the error that interrupts a stream. */
  async send(run: TicketRun, response: OpenedResponse): Promise<void> {
    if (response.kind === 'unary') await this.#sendUnary(run, response);
    else await this.#sendStream(run, response);
    this.metrics.tickets.inc({ outcome: 'completed' });
  }

  /** Settles the usage so far and ends the request with the error. Nothing is settled if another worker has it. */
  async interrupt(run: TicketRun, thrown: unknown, stop: AbortSignal): Promise<void> {
    try {
      if (thrown instanceof RequestTakenOver) throw thrown;
      await this.#interrupt(run, thrown, stop);
    } catch (error) {
      if (!(error instanceof RequestTakenOver)) throw error;
      this.metrics.tickets.inc({ outcome: 'taken_over' });
      this.logger.warn({ requestId: run.ticket.requestId }, 'another worker has taken over a request');
    }
  }

  async #interrupt(run: TicketRun, thrown: unknown, stop: AbortSignal): Promise<void> {
    const { ticket, claimed, reader } = run;
    const isAborted = isCancelled(run);
    const error = isAborted ? CANCELLED : (errorForClient(thrown, stop.aborted) ?? INTERNAL);
    if (error === INTERNAL) this.logger.error({ requestId: ticket.requestId, err: thrown }, 'ticket failed internally');
    const isStarted = run.firstByteAtMs !== undefined;
    const abandonedInput = isAbandoned(run, thrown, stop) ? heldInputOf(run) : undefined;
    const isStored = error.code !== 'response_not_stored';
    const { outcome, settledAs, usage } = classifyInterruption({
      reader: isStored ? reader : undefined,
      isStarted,
      isAborted,
      abandonedInput,
    });
    const failure = error.toRecord();
    const settled = await this.#settle(run, reportOf(run, settledAs, usage, error), { failure });
    await claimed.fail({ ...failure, ...changesPart(run.changes), settled: settledEnd(settled) });
    this.metrics.tickets.inc({ outcome });
  }

  /** Settles before the head: cost and balance are headers. */
  async #sendUnary(run: TicketRun, response: UnaryResponse): Promise<void> {
    const { claimed, abort } = run;
    const { body } = response;
    const head = headOf(response);
    const settled = await this.#settle(run, reportOf(run, 'completed', response.usage), { whole: { head, body } });
    claimed.head({ ...head, headers: { ...head.headers, ...costHeaders(settled) } });
    await sendWhole(body, claimed, abort.signal);
    await claimed.end(settledEnd(settled));
  }

  async #sendStream(run: TicketRun, response: StreamResponse): Promise<void> {
    const { ticket, claimed, abort } = run;
    run.sentStatus = OK;
    try {
      const headers = this.#streamHeaders(ticket, response);
      await this.publish.stream(response, headers, claimed, abort.signal, this.#limit(run));
    } finally {
      response.release();
    }
    const settled = await this.#settle(run, reportOf(run, 'completed', response.reader.usage()));
    await claimed.end(settledEnd(settled));
  }

  /** A response that must outlive this process is stored first: what is charged can be fetched. */
  #settle({ ticket, claimed }: TicketRun, report: UsageReport, ending: Omit<ResponseEnding, 'settlement'> = {}) {
    return this.usage.settle(ticket, report, (settlement) => claimed.keep({ ...ending, settlement }));
  }

  /** Prices a reading about once a second: a stream reports four times as often. */
  #limit({ ticket, abort }: TicketRun): (usage: Usage) => void {
    let readings = 0;
    return (usage) => {
      if (readings % READINGS_PER_CHECK === 0) {
        void this.spending.check(ticket, this.usage.costOf(ticket, usage), (error) => abort.end(error));
      }
      readings += 1;
    };
  }

  #streamHeaders(ticket: SyncTicket, { contentType, totalUsage }: StreamResponse): Record<string, string> {
    return {
      'content-type': contentType,
      ...(totalUsage !== undefined && { 'x-cost-usd': formatUsd(this.usage.costOf(ticket, totalUsage)) }),
    };
  }
}

const headOf = ({ contentType, body, changes }: UnaryResponse): ResponseHead => ({
  status: OK,
  ...(changes !== undefined && { changes }),
  headers: {
    'content-type': contentType ?? 'application/json; charset=utf-8',
    'content-length': String(body.length),
  },
});

const costHeaders = ({ costNanoUsd, balanceNanoUsd }: Settled): Record<string, string> => ({
  'x-cost-usd': formatUsd(costNanoUsd),
  ...(balanceNanoUsd !== undefined && { 'x-balance-usd': formatUsd(balanceNanoUsd) }),
});

/** True if the call ended because its client or its edge has gone. */
const isCancelled = ({ claimed, abort }: TicketRun): boolean =>
  requestAbortReason(abort.signal) !== null || (!abort.isDetached && requestAbortReason(claimed.signal) !== null);

/** True if the gateway cancelled a call whose client had left. A failure of the vendor is none. */
const isAbandoned = ({ abort }: TicketRun, thrown: unknown, stop: AbortSignal): boolean =>
  abort.isDetached && (thrown instanceof DetachedTooLong || stop.aborted);

const heldInputOf = ({ ticket }: TicketRun): Usage => ({ ...(ticket.heldInput ?? NO_INPUT), isEstimated: true });

function reportOf(run: TicketRun, outcome: UsageReport['outcome'], usage: Usage, error?: GatewayError): UsageReport {
  const { attempts, startedAtMs, firstByteAtMs, changes } = run;
  const status = run.sentStatus ?? (error === undefined ? OK : (error.details.passThrough?.status ?? error.row.status));
  return { outcome, usage, attempts, startedAtMs, firstByteAtMs, errorCode: error?.code, status, changes };
}
