import { GatewayError, isFinalVideoTask, type UpstreamAttempt } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { endWithout } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { SetAlarms } from './set-alarms.service.js';
import { TellChange } from './tell-change.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** An upstream was asked and its answer was lost: it may have taken the task. */
export class Unclear extends Error {
  constructor(
    readonly error: GatewayError,
    readonly attempts: readonly UpstreamAttempt[],
  ) {
    super(error.message);
  }
}

/** Ends a submission that did not come to an acceptance: as a failure where that is certain, else as one to be looked for. */
@Injectable()
export class EndSubmission {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly finishing: FinishTask,
    private readonly alarms: SetAlarms,
    private readonly change: TellChange,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** It was certainly not taken: all of it goes back, and the client may ask again under the same key. */
  async refuse(task: WorkerVideoTask, error: GatewayError, attempts: readonly UpstreamAttempt[]): Promise<void> {
    const { code, message } = error;
    await this.finishing.finish(task, (seen) => ({
      ...endWithout(seen, 'failed', { code, message }, Date.now()),
      attempts,
      freesIdempotencyKey: true,
    }));
  }

  /**
   * As its row says: where nobody was asked it has failed. Gives what the client is to hear. If Postgres cannot be reached the
   * row stays as it is, and the sweep comes to the same end.
   */
  async end(task: WorkerVideoTask, error: GatewayError, attempts: readonly UpstreamAttempt[]): Promise<GatewayError> {
    try {
      const now = await this.tasks.find(task.taskId);
      if (now === null || isFinalVideoTask(now.state)) return error;
      if (now.state === 'submitting' && now.askedAtMs === null) {
        await this.refuse(now, error, attempts);
        return error;
      }
      if (now.state === 'submitting') await this.lookForIt(now, attempts);
      return unclear(error, now);
    } catch (failure) {
      this.logger.error({ err: failure, taskId: task.taskId }, 'the end of a submission is left to the sweep');
      return unclear(error, task);
    }
  }

  /** From here on it is looked for; it is never asked for again. */
  async lookForIt(task: WorkerVideoTask, attempts: readonly UpstreamAttempt[]): Promise<void> {
    const { taskId, vendor, requestId, channelId } = task;
    const lookInMs = this.config.pollFastestMs;
    const unknown = await this.tasks.noteSubmitUnknown(task, attempts, lookInMs);
    if (unknown === null) return;
    this.metrics.submitUnknown.inc({ vendor });
    this.logger.error({ requestId, taskId, vendor, channel: channelId }, 'a submission was never answered');
    this.change.tell(unknown);
    await this.alarms.set(vendor, [{ taskId, number: unknown.pollNumber, delayMs: lookInMs }]);
  }
}

/** Under an idempotency key the next try finds this task, and libraries may try by themselves; without one it makes another. */
const unclear = ({ code }: GatewayError, { publicId, idempotencyKey }: WorkerVideoTask): GatewayError =>
  new GatewayError(
    code === 'upstream_timeout' ? code : 'upstream_error',
    `The upstream did not say whether it took the task. It is ${publicId} here: if it was taken it goes on, else its hold goes back. Look at it before you ask again.`,
    idempotencyKey === null ? { mayHaveBegun: true } : {},
  );
