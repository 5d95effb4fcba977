import {
  GatewayError,
  isFinalVideoTask,
  isGatewayError,
  type SyncTicket,
  type VideoSubmission,
} from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { isDatabaseUnavailable, type WorkerVideoTask } from '@gateway/postgres';
import { relayAbortReason } from '@gateway/relay';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from './doors.js';
import { EndSubmission, Unclear } from './end-submission.service.js';
import { FAILPOINTS, type Failpoints } from './failpoints.js';
import { AskUpstream } from './submit-task/ask-upstream.service.js';
import { HoldMoney } from './submit-task/hold-money.service.js';
import { OpenTask } from './submit-task/open-task.service.js';
import { WriteAcceptance } from './write-acceptance.service.js';

const AWAY = new GatewayError('service_unavailable', 'Tasks cannot be written down right now, try again shortly.', {
  retryAfterMs: 1_000,
});
const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');

/** A ticket whose request is this worker's. */
export interface ClaimedSubmission {
  readonly ticket: SyncTicket;
  readonly body: Buffer;
  readonly traceparent: string | null;
  /** Nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  /** This worker may not run any longer. */
  readonly stop: AbortSignal;
}

/** What became of a submission. `unknown`: the upstream did not say whether it took the task. */
export type SubmissionEnd =
  | { readonly outcome: 'accepted'; readonly task: WorkerVideoTask; readonly balanceNanoUsd: bigint }
  | { readonly outcome: 'repeated'; readonly task: WorkerVideoTask; readonly submission: VideoSubmission }
  /** `failed`: the hold, which has gone back, is in it. Null: there was none yet. */
  | { readonly outcome: 'failed' | 'unknown'; readonly error: GatewayError; readonly balanceNanoUsd: bigint | null };

/** How far a submission has come: all that its end needs. */
interface Progress {
  task: WorkerVideoTask | null;
  /** Without the hold, once that is the task's own. */
  balanceNanoUsd: bigint | null;
}

/**
 * The spine of a submission: write it down, take its hold, ask an upstream once, write down that it was taken. Only then may
 * the client be told. Whatever stands in Postgres when this process dies tells the next one what may be done.
 */
@Injectable()
export class SubmitTask {
  constructor(
    private readonly opening: OpenTask,
    private readonly money: HoldMoney,
    private readonly upstream: AskUpstream,
    private readonly acceptance: WriteAcceptance,
    private readonly ending: EndSubmission,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async submit(claimed: ClaimedSubmission): Promise<SubmissionEnd> {
    const progress: Progress = { task: null, balanceNanoUsd: null };
    try {
      return await this.#submit(claimed, progress);
    } catch (error) {
      return this.#breakOff(claimed, progress, error);
    }
  }

  async #submit(claimed: ClaimedSubmission, progress: Progress): Promise<SubmissionEnd> {
    const { ticket, gone, stop } = claimed;
    const { outcome, task: opened, submission, model } = await this.opening.open(claimed, this.upstream.leaseMs);
    if (outcome === 'exists') {
      // The client's key stands for a task that is there already: this request ends without one, and costs nothing.
      this.money.giveBack(ticket);
      return { outcome: 'repeated', task: opened, submission };
    }
    progress.task = opened;
    this.failpoints.reach('after-row');
    const balanceNanoUsd = await this.money.take(ticket);
    progress.balanceNanoUsd = balanceNanoUsd;
    this.failpoints.reach('after-hold');
    gone.throwIfAborted();
    stop.throwIfAborted();
    const submitted = await this.upstream.submit(opened, submission, model, stop);
    progress.task = submitted.task;
    if (submitted.kind === 'refused') {
      await this.ending.refuse(submitted.task, submitted.error, submitted.attempts);
      throw submitted.error;
    }
    if (submitted.kind === 'unknown') throw new Unclear(submitted.error, submitted.attempts);
    const task = await this.acceptance.write(submitted.task, submitted.upstreamTaskId, submitted.attempts);
    if (isFinalVideoTask(task.state)) throw new GatewayError('upstream_timeout', 'The upstream answered too late.');
    return { outcome: 'accepted', task, balanceNanoUsd };
  }

  async #breakOff(
    { ticket, gone }: ClaimedSubmission,
    { task, balanceNanoUsd }: Progress,
    thrown: unknown,
  ): Promise<SubmissionEnd> {
    const error = relayAbortReason(gone) === null ? this.#toGatewayError(ticket, thrown) : CANCELLED;
    const attempts = thrown instanceof Unclear ? thrown.attempts : [];
    const told = task === null ? error : await this.ending.end(task, error, attempts);
    if (balanceNanoUsd === null) this.money.giveBack(ticket, error.code);
    if (told !== error || balanceNanoUsd === null) {
      return { outcome: told === error ? 'failed' : 'unknown', error: told, balanceNanoUsd };
    }
    return { outcome: 'failed', error, balanceNanoUsd: balanceNanoUsd + BigInt(ticket.holdNanoUsd) };
  }

  #toGatewayError({ requestId }: SyncTicket, thrown: unknown): GatewayError {
    if (thrown instanceof Unclear) return thrown.error;
    if (isGatewayError(thrown)) return thrown;
    if (isDatabaseUnavailable(thrown)) {
      this.logger.warn({ requestId, err: thrown }, 'a task could not be written down');
      return AWAY;
    }
    this.logger.error({ requestId, err: thrown }, 'a submission failed inside');
    return new GatewayError('internal_error', 'The server had an error while processing your request.');
  }
}
