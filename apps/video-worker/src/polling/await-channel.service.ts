import { type Logger, LogThrottle } from '@gateway/observability';
import { taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FinishTask } from '../completion/finish-task.service.js';
import { completionWithoutVideo } from '../completion/task-completion.js';
import type { WorkerMetrics } from '../metrics.js';
import { TaskLease } from '../task/task-lease.service.js';
import { LOGGER, WORKER_CONFIG, WORKER_METRICS, type WorkerConfig } from '../tokens.js';

const UNREACHABLE = {
  code: 'task_unreachable',
  message: 'The upstream of the task can no longer be reached. Nothing is charged.',
};

/**
 * Holds a task whose channel is not configured, because a later release may restore the channel. Only the credential that
 * submitted a task can poll it.
 */
@Injectable()
export class AwaitChannel {
  readonly #logThrottle = new LogThrottle();

  constructor(
    private readonly finishing: FinishTask,
    private readonly lease: TaskLease,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'pollSlowestMs'>,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Postpones the task, or ends it at no cost after its deadline. */
  async wait(task: WorkerVideoTask): Promise<void> {
    const { taskId, vendor, channelId, expiresAtMs } = task;
    this.metrics.lostChannels.inc({ vendor });
    this.#logThrottle.log(`${channelId}`, () =>
      this.logger.error({ taskId, vendor, channel: channelId }, 'task has no configured channel'),
    );
    const leftMs = expiresAtMs - taskTimeMs(task);
    if (leftMs > 0) return this.lease.postpone(task, Math.min(leftMs, this.config.pollSlowestMs));
    await this.finishing.finish(task, (seen) => completionWithoutVideo(seen, 'expired', UNREACHABLE, taskTimeMs(seen)));
  }
}
