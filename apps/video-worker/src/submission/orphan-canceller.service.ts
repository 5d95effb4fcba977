import type { Logger } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../metrics.js';
import type { TaskChannel } from '../task/task-channels.js';
import { LOGGER, WORKER_METRICS } from '../tokens.js';
import { CancelUpstream } from '../upstream/cancel-upstream.service.js';

/** Cancels an upstream task whose task here has already ended: no customer pays for it. */
@Injectable()
export class OrphanCanceller {
  constructor(
    private readonly cancelling: CancelUpstream,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async cancel(
    { taskId, vendor, state }: WorkerVideoTask,
    upstreamTaskId: string,
    channel: TaskChannel,
  ): Promise<void> {
    const outcome = await this.cancelling.cancel(upstreamTaskId, channel, new AbortController().signal);
    this.metrics.orphans.inc({ vendor });
    this.logger.error({ taskId, vendor, state, upstreamTaskId, outcome }, 'upstream accepted a task that had ended');
  }
}
