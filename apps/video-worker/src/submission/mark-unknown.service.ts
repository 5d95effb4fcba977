import type { UpstreamAttempt } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../metrics.js';
import { PollJobs } from '../task/poll-jobs.service.js';
import { TaskChangePublisher } from '../task/task-change-publisher.service.js';
import { LOGGER, TASK_STORE, WORKER_CONFIG, WORKER_METRICS, type WorkerConfig } from '../tokens.js';

/** Hands an ambiguous submission to recovery. It is never submitted again: it may be running upstream. */
@Injectable()
export class MarkUnknown {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly jobs: PollJobs,
    private readonly changes: TaskChangePublisher,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'pollFastestMs'>,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does nothing if the task has changed meanwhile. */
  async mark(task: WorkerVideoTask, attempts: readonly UpstreamAttempt[]): Promise<void> {
    const { taskId, vendor, requestId, channelId } = task;
    const delayMs = this.config.pollFastestMs;
    const unknown = await this.tasks.recordUnknownSubmission(task, attempts, delayMs);
    if (unknown === null) return;
    this.metrics.submitUnknown.inc({ vendor });
    this.logger.error({ requestId, taskId, vendor, channel: channelId }, 'submission got no response');
    this.changes.publish(unknown);
    await this.jobs.schedule(vendor, [{ taskId, number: unknown.pollNumber, delayMs }]);
  }
}
