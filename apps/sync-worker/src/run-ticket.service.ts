import { GatewayError, type ResponseEnd, type SyncTicket, type UpstreamAttempt, type Usage } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { Requeued } from '@gateway/redis';
import { type RelayPool, type RequestStream, relayAbortReason } from '@gateway/relay';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { AnswerWork } from './answer-work.service.js';
import { errorForClient } from './break-off/error-for-client.js';
import { partialAnswer } from './break-off/partial-answer.js';
import { TicketAbort } from './break-off/ticket-abort.js';
import { LANE_MEANS, type LaneMeans } from './lane.js';
import { openWork } from './lanes/open-work.js';
import { LOGGER } from './observability-door.js';
import type { OpenedAnswer } from './opened-answer.js';
import { PublishAnswer } from './publish-answer/publish-answer.service.js';
import { RELAY_POOL } from './relay-door.js';
import { type Report, ReportUsage, type Settled } from './report-usage/report-usage.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');

const INTERNAL = new GatewayError('internal_error', 'The server had an error while processing your request.');

/** What has happened to a ticket so far: all that its settlement needs. */
interface Progress {
  readonly attempts: UpstreamAttempt[];
  readonly startedAtMs: number;
  reader: StreamReader | undefined;
  firstByteAtMs: number | undefined;
}

/** The spine of a ticket: claim, call the upstream, publish the answer, report the usage. It settles exactly once. */
@Injectable()
export class RunTicket {
  constructor(
    @Inject(RELAY_POOL) private readonly relay: RelayPool,
    private readonly work: AnswerWork,
    private readonly publish: PublishAnswer,
    private readonly usage: ReportUsage,
    @Inject(LANE_MEANS) private readonly means: LaneMeans,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `stop` fires when this worker may not run any longer: what runs then is broken off and settled. */
  async run(ticket: SyncTicket, stop: AbortSignal): Promise<Requeued | undefined> {
    const claimed = await this.relay.claim(ticket);
    if (claimed === 'denied' || claimed === 'unreachable') {
      this.metrics.tickets.inc({ outcome: claimed });
      // Denied: nobody waits for it, its edge has settled it. Unreachable: its edge is dead and its hold expires, or it is us.
      return claimed === 'unreachable' ? 'handed back' : undefined;
    }
    this.metrics.queueWaitSeconds.observe(Math.max(0, Date.now() - ticket.admittedAtMs) / 1_000);
    const progress: Progress = { attempts: [], startedAtMs: Date.now(), reader: undefined, firstByteAtMs: undefined };
    try {
      await this.#answer(ticket, claimed, progress, stop);
    } catch (error) {
      await this.#breakOff(ticket, claimed, progress, error, stop);
    }
    return undefined;
  }

  async #answer(ticket: SyncTicket, claimed: RequestStream, progress: Progress, stop: AbortSignal): Promise<void> {
    const abort = new TicketAbort([claimed.signal, stop], ticket.deadlineMs);
    try {
      const opened = await this.#open(ticket, claimed, progress, abort.signal);
      progress.firstByteAtMs = Date.now();
      if (opened.kind === 'whole') await this.#whole(ticket, claimed, progress, opened);
      else await this.#stream(ticket, claimed, progress, opened, abort);
    } finally {
      abort.dispose();
    }
  }

  /** Apart from what follows, so that nothing of the prompt lives in memory as long as its answer. */
  #open(ticket: SyncTicket, claimed: RequestStream, progress: Progress, signal: AbortSignal): Promise<OpenedAnswer> {
    return this.work.open(openWork(ticket, claimed.takeBody(), this.means), {
      accountId: ticket.accountId,
      isTest: ticket.isTest === true,
      signal,
      attempts: progress.attempts,
      onReader: (reader) => {
        progress.reader = reader;
      },
    });
  }

  async #whole(
    ticket: SyncTicket,
    claimed: RequestStream,
    progress: Progress,
    answer: Extract<OpenedAnswer, { kind: 'whole' }>,
  ): Promise<void> {
    const settled = await this.usage.settle(ticket, report('completed', progress, answer.usage));
    const cost = settled.costNanoUsd.toString();
    claimed.head({
      status: 200,
      headers: {
        'content-type': answer.contentType ?? 'application/json; charset=utf-8',
        'content-length': String(answer.body.length),
        'x-cost-usd': formatUsd(settled.costNanoUsd),
        ...(settled.balanceNanoUsd !== undefined && { 'x-balance-usd': formatUsd(settled.balanceNanoUsd) }),
      },
    });
    claimed.data(answer.body);
    claimed.end({ costNanoUsd: cost });
    this.metrics.tickets.inc({ outcome: 'completed' });
  }

  async #stream(
    ticket: SyncTicket,
    claimed: RequestStream,
    progress: Progress,
    answer: Extract<OpenedAnswer, { kind: 'stream' }>,
    abort: TicketAbort,
  ): Promise<void> {
    abort.liftDeadline();
    try {
      await this.publish.stream(answer, this.#streamHeaders(ticket, answer), claimed);
    } finally {
      answer.release();
    }
    const settled = await this.usage.settle(ticket, report('completed', progress, answer.reader.usage()));
    claimed.end(endOf(settled));
    this.metrics.tickets.inc({ outcome: 'completed' });
  }

  /** A cost that is known before the end is shown in the head, as a whole answer's is. */
  #streamHeaders(
    ticket: SyncTicket,
    { contentType, wholeUsage }: Extract<OpenedAnswer, { kind: 'stream' }>,
  ): Record<string, string> {
    return {
      'content-type': contentType,
      ...(wholeUsage !== undefined && { 'x-cost-usd': formatUsd(this.usage.costOf(ticket, wholeUsage)) }),
    };
  }

  /** No whole answer: settle what was used, tell the edge why. */
  async #breakOff(
    ticket: SyncTicket,
    claimed: RequestStream,
    progress: Progress,
    thrown: unknown,
    stop: AbortSignal,
  ): Promise<void> {
    const isAborted = relayAbortReason(claimed.signal) !== null;
    const error = isAborted ? CANCELLED : (errorForClient(thrown, stop.aborted) ?? INTERNAL);
    if (error === INTERNAL) this.logger.error({ requestId: ticket.requestId, err: thrown }, 'a ticket failed inside');
    const isBegun = progress.firstByteAtMs !== undefined;
    const { outcome, settledAs, usage } = partialAnswer({ reader: progress.reader, isBegun, isAborted });
    const settled = await this.usage.settle(ticket, report(settledAs, progress, usage, error.code));
    claimed.fail({ ...error.toRecord(), settled: endOf(settled) });
    this.metrics.tickets.inc({ outcome });
  }
}

const endOf = ({ costNanoUsd, balanceNanoUsd }: Settled): ResponseEnd => ({
  costNanoUsd: costNanoUsd.toString(),
  ...(balanceNanoUsd !== undefined && { balanceNanoUsd: balanceNanoUsd.toString() }),
});

function report(outcome: Report['outcome'], progress: Progress, usage: Usage, errorCode?: string): Report {
  const { attempts, startedAtMs, firstByteAtMs } = progress;
  return { outcome, usage, attempts, startedAtMs, firstByteAtMs, errorCode };
}
