import { GatewayError, isFinalVideoTask, type UpstreamAttempt } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FinishTask } from '../completion/finish-task.service.js';
import { completionWithoutVideo } from '../completion/task-completion.js';
import { LOGGER, TASK_STORE } from '../tokens.js';
import { MarkUnknown } from './mark-unknown.service.js';

/** The upstream may have accepted the task: it received the submission, but its response was lost. */
export class AmbiguousSubmission extends Error {
  constructor(
    readonly error: GatewayError,
    readonly attempts: readonly UpstreamAttempt[],
  ) {
    super(error.message);
  }
}

/** Ends a submission without an acceptance: as a failure if that is certain, otherwise as unknown. */
@Injectable()
export class EndSubmission {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly finishing: FinishTask,
    private readonly unknown: MarkUnknown,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Use it only if the upstream certainly did not accept the task. Releases the hold and the idempotency key. */
  async fail(task: WorkerVideoTask, error: GatewayError, attempts: readonly UpstreamAttempt[]): Promise<void> {
    const { code, message } = error;
    await this.finishing.finish(task, (seen) => ({
      ...completionWithoutVideo(seen, 'failed', { code, message }, Date.now()),
      attempts,
      freesIdempotencyKey: true,
    }));
  }

  /** The stored row decides: without a call time, no upstream can have received the submission. */
  async failOrMarkUnknown(
    task: WorkerVideoTask,
    error: GatewayError,
    attempts: readonly UpstreamAttempt[],
  ): Promise<'failed' | 'unknown'> {
    if (task.upstreamCalledAtMs === null) {
      await this.fail(task, error, attempts);
      return 'failed';
    }
    await this.unknown.mark(task, attempts);
    return 'unknown';
  }

  /**
   * Ends the task by its current row and returns the error for the client. If PostgreSQL is unavailable, the sweep ends the
   * task later in the same way.
   */
  async end(task: WorkerVideoTask, error: GatewayError, attempts: readonly UpstreamAttempt[]): Promise<GatewayError> {
    try {
      const current = await this.tasks.find(task.taskId);
      if (current === null || isFinalVideoTask(current.state)) return error;
      if (current.state !== 'submitting') return ambiguousError(error, current);
      const outcome = await this.failOrMarkUnknown(current, error, attempts);
      return outcome === 'failed' ? error : ambiguousError(error, current);
    } catch (failure) {
      this.logger.error({ err: failure, taskId: task.taskId }, 'submission not ended, the sweep will end it');
      return ambiguousError(error, task);
    }
  }
}

/** Libraries may retry only under an idempotency key: the retry then finds this task instead of creating another. */
const ambiguousError = ({ code }: GatewayError, { publicId, idempotencyKey }: WorkerVideoTask): GatewayError =>
  new GatewayError(
    code === 'upstream_timeout' ? code : 'upstream_error',
    `The upstream did not confirm the task ${publicId}. If it accepted the task, the task continues; otherwise the hold is released. Read the task before you submit again.`,
    idempotencyKey === null ? { mayHaveBegun: true } : {},
  );
