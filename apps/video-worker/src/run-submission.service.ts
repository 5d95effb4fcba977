import { findModel, having, type ModelWith } from '@gateway/catalogue';
import {
  GatewayError,
  isFinalVideoTask,
  isGatewayError,
  type SyncTicket,
  type VideoSubmission,
  videoSubmission,
} from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { TaskStore, WorkedVideoTask } from '@gateway/postgres';
import { type Claimed, type RelayPool, relayAbortReason } from '@gateway/relay';
import { Inject, Injectable } from '@nestjs/common';
import { answerRepeated, answerSubmission } from './answer-submission.js';
import { LOGGER, RELAY_POOL, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { EndSubmission, Unclear } from './end-submission.service.js';
import { FAILPOINTS, type Failpoints } from './failpoints.js';
import { AskUpstream } from './submit-task/ask-upstream.service.js';
import { HoldMoney } from './submit-task/hold-money.service.js';
import { newTask } from './submit-task/new-task.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';
import { WriteAcceptance } from './write-acceptance.service.js';

const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');

/** How far a submission has come: all that its end needs. */
interface Progress {
  task: WorkedVideoTask | null;
  isHeld: boolean;
}

/**
 * The spine of a submission: claim it, write it down, take its hold, ask an upstream once, write down that it was taken, and
 * only then tell the client. Whatever stands in Postgres when this process dies tells the next one what may be done.
 */
@Injectable()
export class RunSubmission {
  constructor(
    @Inject(RELAY_POOL) private readonly relay: RelayPool,
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly money: HoldMoney,
    private readonly upstream: AskUpstream,
    private readonly acceptance: WriteAcceptance,
    private readonly ending: EndSubmission,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `stop` fires when this worker may not run any longer: a submission that has not reached its upstream ends then. */
  async run(ticket: SyncTicket, stop: AbortSignal): Promise<void> {
    const claimed = await this.relay.claim(ticket);
    if (claimed === null) {
      // Nobody waits for it: its edge has settled it, or is dead and its hold expires.
      this.metrics.tickets.inc({ outcome: 'denied' });
      return;
    }
    this.metrics.queueWaitSeconds.observe(Math.max(0, Date.now() - ticket.admittedAtMs) / 1_000);
    const progress: Progress = { task: null, isHeld: false };
    try {
      await this.#submit(ticket, claimed, progress, stop);
    } catch (error) {
      await this.#breakOff(ticket, claimed, progress, error);
    }
  }

  async #submit(ticket: SyncTicket, claimed: Claimed, progress: Progress, stop: AbortSignal): Promise<void> {
    const { model, submission } = readSubmission(ticket, claimed.body);
    const row = newTask(ticket, submission, model, this.config.taskDeadlineSeconds);
    const opened = await this.tasks.open(row, this.upstream.leaseMs);
    if (opened.outcome === 'settled') throw CANCELLED;
    if (opened.outcome === 'exists') return this.#repeat(ticket, claimed, opened.task, submission);
    progress.task = opened.task;
    this.failpoints.reach('after-row');
    const balanceNanoUsd = await this.money.take(ticket);
    progress.isHeld = true;
    this.failpoints.reach('after-hold');
    claimed.signal.throwIfAborted();
    stop.throwIfAborted();
    const submitted = await this.upstream.submit(opened.task, submission, model, stop);
    progress.task = submitted.task;
    if (submitted.kind === 'refused') {
      await this.ending.refuse(submitted.task, submitted.error, submitted.attempts);
      throw submitted.error;
    }
    if (submitted.kind === 'unknown') throw new Unclear(submitted.error, submitted.attempts);
    const task = await this.acceptance.write(submitted.task, submitted.upstreamTaskId, submitted.attempts);
    if (isFinalVideoTask(task.state)) throw new GatewayError('upstream_timeout', 'The upstream answered too late.');
    answerSubmission(claimed, task, balanceNanoUsd);
    this.metrics.tickets.inc({ outcome: 'accepted' });
  }

  /** The client's key stands for a task that is there already: this request ends without one, and costs nothing. */
  #repeat(ticket: SyncTicket, claimed: Claimed, task: WorkedVideoTask, submission: VideoSubmission): void {
    this.money.giveBack(ticket);
    answerRepeated(claimed, task, submission);
    this.metrics.tickets.inc({ outcome: 'repeated' });
  }

  async #breakOff(ticket: SyncTicket, claimed: Claimed, { task, isHeld }: Progress, thrown: unknown): Promise<void> {
    const isAborted = relayAbortReason(claimed.signal) !== null;
    const error = isAborted ? CANCELLED : this.#toGatewayError(ticket, thrown);
    let told = error;
    if (task !== null) told = await this.ending.end(task, error, thrown instanceof Unclear ? thrown.attempts : []);
    if (!isHeld) this.money.giveBack(ticket, error.code);
    claimed.fail(told.toRecord());
    this.metrics.tickets.inc({ outcome: told === error ? 'failed' : 'unknown' });
  }

  #toGatewayError(ticket: SyncTicket, thrown: unknown): GatewayError {
    if (thrown instanceof Unclear) return thrown.error;
    if (isGatewayError(thrown)) return thrown;
    this.logger.error({ requestId: ticket.requestId, err: thrown }, 'a submission failed inside');
    return new GatewayError('internal_error', 'The server had an error while processing your request.');
  }
}

/** Throws a GatewayError if this worker does not know the model or what is asked of it: its edge is of a newer release. */
function readSubmission(
  ticket: SyncTicket,
  body: Buffer,
): { readonly model: ModelWith<'video'>; readonly submission: VideoSubmission } {
  const model = findModel(ticket.model);
  const submission = videoSubmission.safeParse(JSON.parse(body.toString('utf8')));
  if (model?.video === undefined || !submission.success || ticket.endpoint !== 'videos.generations') {
    throw new GatewayError(
      'upstream_unavailable',
      `The model '${ticket.model}' is being rolled out, try again shortly.`,
      { retryAfterMs: 5_000 },
    );
  }
  return { model: having(model, 'video'), submission: submission.data };
}
