import { type Logger, LogThrottle } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { endWithout } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

const UNREACHABLE = {
  code: 'task_unreachable',
  message: 'The upstream of the task can no longer be asked. Nothing is charged.',
};

/** A task whose channel is gone: only the credential that submitted it could ask. It may come back with the next release. */
@Injectable()
export class AwaitChannel {
  readonly #seldom = new LogThrottle();

  constructor(
    private readonly finishing: FinishTask,
    private readonly next: ScheduleLook,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Puts it down, until its time is over. */
  async wait(task: WorkerVideoTask): Promise<void> {
    const { taskId, vendor, channelId, expiresAtMs } = task;
    this.metrics.lostChannels.inc({ vendor });
    this.#seldom.log(`${channelId}`, () =>
      this.logger.error({ taskId, vendor, channel: channelId }, 'a task runs on a channel that is not configured'),
    );
    const leftMs = expiresAtMs - Date.now();
    if (leftMs > 0) return this.next.postpone(task, Math.min(leftMs, this.config.pollSlowestMs));
    await this.finishing.finish(task, (seen) => endWithout(seen, 'expired', UNREACHABLE, Date.now()));
  }
}
