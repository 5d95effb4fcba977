import {
  type AnswerEnd,
  GatewayError,
  hasOutput,
  isGatewayError,
  NO_USAGE,
  type SyncTicket,
  type UpstreamAttempt,
  type Usage,
} from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import { type Claimed, type RelayPool, relayAbortReason } from '@gateway/relay';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { AnswerWork } from './answer-work.service.js';
import { LANE_MEANS, type LaneMeans } from './lane.js';
import { openWork } from './lanes/open-work.js';
import { LOGGER } from './observability-door.js';
import type { OpenedAnswer } from './opened-answer.js';
import { PublishAnswer } from './publish-answer/publish-answer.service.js';
import { RELAY_POOL } from './relay-door.js';
import { type Report, ReportUsage, type Settled } from './report-usage/report-usage.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');

class DeadlinePassed extends Error {}

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
  async run(ticket: SyncTicket, stop: AbortSignal): Promise<void> {
    const claimed = await this.relay.claim(ticket);
    if (claimed === null) {
      // Nobody waits for it: its edge has settled it, or is dead and its hold expires.
      this.metrics.tickets.inc({ outcome: 'denied' });
      return;
    }
    this.metrics.queueWaitSeconds.observe(Math.max(0, Date.now() - ticket.admittedAtMs) / 1_000);
    const progress: Progress = { attempts: [], startedAtMs: Date.now(), reader: undefined, firstByteAtMs: undefined };
    try {
      await this.#answer(ticket, claimed, progress, stop);
    } catch (error) {
      await this.#breakOff(ticket, claimed, progress, error, stop);
    }
  }

  async #answer(ticket: SyncTicket, claimed: Claimed, progress: Progress, stop: AbortSignal): Promise<void> {
    const work = openWork(ticket, claimed.body, this.means);
    const abort = abortWith([claimed.signal, stop], ticket.deadlineMs);
    try {
      const opened = await this.work.open(work, {
        isTest: ticket.isTest === true,
        signal: abort.signal,
        attempts: progress.attempts,
        onReader: (reader) => {
          progress.reader = reader;
        },
      });
      progress.firstByteAtMs = Date.now();
      if (opened.kind === 'whole') await this.#whole(ticket, claimed, progress, opened);
      else await this.#stream(ticket, claimed, progress, opened, abort);
    } finally {
      abort.dispose();
    }
  }

  async #whole(
    ticket: SyncTicket,
    claimed: Claimed,
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
    claimed: Claimed,
    progress: Progress,
    answer: Extract<OpenedAnswer, { kind: 'stream' }>,
    abort: AbortWithDeadline,
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

  /** No whole answer: settle what was used, tell the edge why. A request that failed before its first byte costs nothing. */
  async #breakOff(
    ticket: SyncTicket,
    claimed: Claimed,
    progress: Progress,
    thrown: unknown,
    stop: AbortSignal,
  ): Promise<void> {
    const { reader } = progress;
    const isAborted = relayAbortReason(claimed.signal) !== null;
    const error = isAborted ? CANCELLED : this.#toGatewayError(ticket, thrown, stop);
    const isBegun = progress.firstByteAtMs !== undefined;
    const isPartial =
      reader !== undefined && (isAborted || (isBegun && (reader.isFinal || hasOutput(reader.usage().units))));
    const outcome = isAborted ? 'aborted' : isPartial ? 'interrupted' : 'failed';
    const usage = isPartial ? reader.usage() : NO_USAGE;
    const settled = await this.usage.settle(
      ticket,
      report(reader?.isFinal === true && isPartial ? 'completed' : outcome, progress, usage, error.code),
    );
    claimed.fail({ ...error.toRecord(), settled: endOf(settled) });
    this.metrics.tickets.inc({ outcome });
  }

  #toGatewayError(ticket: SyncTicket, thrown: unknown, stop: AbortSignal): GatewayError {
    if (isGatewayError(thrown)) return thrown;
    if (thrown instanceof DeadlinePassed)
      return new GatewayError('upstream_timeout', 'The model did not answer in time.');
    if (stop.aborted)
      return new GatewayError(
        'worker_lost',
        'The process that ran your request had to stop before the answer was whole.',
      );
    if (thrown instanceof HttpFailure)
      return new GatewayError('upstream_error', 'The connection to the model broke off.');
    this.logger.error({ requestId: ticket.requestId, err: thrown }, 'a ticket failed inside');
    return new GatewayError('internal_error', 'The server had an error while processing your request.');
  }
}

const endOf = ({ costNanoUsd, balanceNanoUsd }: Settled): AnswerEnd => ({
  costNanoUsd: costNanoUsd.toString(),
  ...(balanceNanoUsd !== undefined && { balanceNanoUsd: balanceNanoUsd.toString() }),
});

function report(outcome: Report['outcome'], progress: Progress, usage: Usage, errorCode?: string): Report {
  const { attempts, startedAtMs, firstByteAtMs } = progress;
  return { outcome, usage, attempts, startedAtMs, firstByteAtMs, errorCode };
}

interface AbortWithDeadline {
  readonly signal: AbortSignal;
  /** The first byte has come: from here on only silence ends the stream. */
  liftDeadline(): void;
  dispose(): void;
}

/** Aborts with the first of the signals that does, or when the deadline passes. */
function abortWith(signals: readonly AbortSignal[], deadlineMs: number): AbortWithDeadline {
  const controller = new AbortController();
  const follow = (event: { readonly target: EventTarget | null }): void =>
    controller.abort((event.target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) follow({ target: signal });
    else signal.addEventListener('abort', follow, { once: true });
  }
  const timer = setTimeout(() => controller.abort(new DeadlinePassed()), Math.max(0, deadlineMs - Date.now()));
  return {
    signal: controller.signal,
    liftDeadline: () => clearTimeout(timer),
    dispose: () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', follow);
    },
  };
}
