import {
  GatewayError,
  isFinalVideoTask,
  isGatewayError,
  requestAbortReason,
  type SyncTicket,
} from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { isDatabaseUnavailable, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { Failpoints } from '../failpoints.js';
import { FAILPOINTS, LOGGER } from '../tokens.js';
import { AmbiguousSubmission, EndSubmission } from './end-submission.service.js';
import { HoldMoney } from './hold-money.service.js';
import { DATABASE_UNAVAILABLE, OpenTask } from './open-task.service.js';
import type { ReceivedSubmission, SubmissionFacts } from './received-submission.js';
import { StoreAcceptance } from './store-acceptance.service.js';
import { SubmitUpstream } from './submit-upstream.service.js';

const CANCELLED = new GatewayError('client_closed_request', 'The request was cancelled.');

/** A ticket whose request this worker has claimed. */
export interface ClaimedSubmission {
  readonly ticket: SyncTicket;
  readonly body: Buffer;
  readonly traceparent: string | null;
  /** Aborts when the client or its edge disconnects. */
  readonly clientSignal: AbortSignal;
  /** Aborts when this worker shuts down. */
  readonly stop: AbortSignal;
}

/** The outcome of a submission. `unknown`: the upstream did not confirm whether it accepted the task. */
export type SubmissionEnd =
  | { readonly outcome: 'accepted'; readonly task: WorkerVideoTask; readonly balanceNanoUsd: bigint }
  | { readonly outcome: 'repeated'; readonly task: WorkerVideoTask; readonly facts: SubmissionFacts }
  /** The balance includes the released hold if `failed`. Null: Redis still had the hold. */
  | { readonly outcome: 'failed' | 'unknown'; readonly error: GatewayError; readonly balanceNanoUsd: bigint | null };

/** The steps that a submission has completed, for its error path. */
interface Progress {
  task: WorkerVideoTask | null;
  /** The balance without the hold. Null until the hold has moved to the task. */
  balanceNanoUsd: bigint | null;
  submission: ReceivedSubmission | null;
}

/**
 * Runs a submission: store the task, hold the money, submit upstream once, store the acceptance, then respond. If this
 * process dies, the stored row decides how another worker continues.
 */
@Injectable()
export class SubmitTask {
  // Seven collaborators: one for each step of the sequence, whose order decides who pays and so stays in one place.
  constructor(
    private readonly opening: OpenTask,
    private readonly money: HoldMoney,
    private readonly upstream: SubmitUpstream,
    private readonly acceptance: StoreAcceptance,
    private readonly ending: EndSubmission,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async submit(claimed: ClaimedSubmission): Promise<SubmissionEnd> {
    const progress: Progress = { task: null, balanceNanoUsd: null, submission: null };
    try {
      return await this.#submit(claimed, progress);
    } catch (error) {
      return await this.#fail(claimed, progress, error);
    } finally {
      progress.submission?.close();
    }
  }

  async #submit(claimed: ClaimedSubmission, progress: Progress): Promise<SubmissionEnd> {
    const { ticket, clientSignal, stop } = claimed;
    const { outcome, task: opened, submission, model } = await this.opening.open(claimed, this.upstream.leaseMs);
    progress.submission = submission;
    if (outcome === 'exists') {
      // The idempotency key already has a task: this request ends without one and costs nothing.
      this.money.release(ticket);
      return { outcome: 'repeated', task: opened, facts: submission.facts };
    }
    progress.task = opened;
    this.failpoints.reach('after-row');
    const balanceNanoUsd = await this.money.transfer(ticket);
    progress.balanceNanoUsd = balanceNanoUsd;
    this.failpoints.reach('after-hold');
    clientSignal.throwIfAborted();
    stop.throwIfAborted();
    const submitted = await this.upstream.submit(opened, submission, model, stop);
    progress.task = submitted.task;
    if (submitted.kind === 'refused') {
      await this.ending.fail(submitted.task, submitted.error, submitted.attempts);
      throw submitted.error;
    }
    if (submitted.kind === 'unknown') throw new AmbiguousSubmission(submitted.error, submitted.attempts);
    const task = await this.acceptance.store(submitted.task, submitted.upstreamTaskId, submitted.attempts);
    if (isFinalVideoTask(task.state)) throw new GatewayError('upstream_timeout', 'The upstream responded too late.');
    return { outcome: 'accepted', task, balanceNanoUsd };
  }

  async #fail(
    { ticket, clientSignal }: ClaimedSubmission,
    { task, balanceNanoUsd }: Progress,
    thrown: unknown,
  ): Promise<SubmissionEnd> {
    const error = requestAbortReason(clientSignal) === null ? this.#toGatewayError(ticket, thrown) : CANCELLED;
    const attempts = thrown instanceof AmbiguousSubmission ? thrown.attempts : [];
    const clientError = task === null ? error : await this.ending.end(task, error, attempts);
    if (balanceNanoUsd === null) this.money.release(ticket, error.code);
    if (clientError !== error || balanceNanoUsd === null) {
      return { outcome: clientError === error ? 'failed' : 'unknown', error: clientError, balanceNanoUsd };
    }
    return { outcome: 'failed', error, balanceNanoUsd: balanceNanoUsd + BigInt(ticket.holdNanoUsd) };
  }

  #toGatewayError({ requestId }: SyncTicket, thrown: unknown): GatewayError {
    if (thrown instanceof AmbiguousSubmission) return thrown.error;
    if (isGatewayError(thrown)) return thrown;
    if (isDatabaseUnavailable(thrown)) {
      this.logger.warn({ requestId, err: thrown }, 'task not stored, database unavailable');
      return DATABASE_UNAVAILABLE;
    }
    this.logger.error({ requestId, err: thrown }, 'submission failed');
    return new GatewayError('internal_error', 'The server had an error while processing your request.');
  }
}
