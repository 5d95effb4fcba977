import { taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FinishTask } from '../completion/finish-task.service.js';
import { completionWithoutVideo, expiredCompletion } from '../completion/task-completion.js';
import type { WorkerMetrics } from '../metrics.js';
import type { TaskChannel } from '../task/task-channels.js';
import { TaskLease } from '../task/task-lease.service.js';
import { WORKER_METRICS } from '../tokens.js';
import { CancelUpstream } from '../upstream/cancel-upstream.service.js';
import { FetchStatus } from '../upstream/fetch-status.service.js';

const CANCELLED = { code: 'task_cancelled', message: 'The task was cancelled. Nothing is charged.' };

/** Stops a running task: its customer cancels it, or its deadline has passed. */
@Injectable()
export class StopTask {
  constructor(
    private readonly cancelling: CancelUpstream,
    private readonly status: FetchStatus,
    private readonly finishing: FinishTask,
    private readonly lease: TaskLease,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  /** Returns the task if it continues, or null if it has ended. */
  async cancelForCustomer(
    task: WorkerVideoTask,
    upstreamTaskId: string,
    channel: TaskChannel,
    stop: AbortSignal,
  ): Promise<WorkerVideoTask | null> {
    const outcome = await this.cancelling.cancel(upstreamTaskId, channel, stop);
    this.metrics.cancellations.inc({ vendor: task.vendor, outcome });
    if (outcome === 'refused') return this.lease.recordCancelRefused(task);
    if (outcome === 'unknown') return task;
    // The task may have succeeded before the cancellation, so its status decides.
    const after = await this.status.fetch(upstreamTaskId, channel, stop);
    const reading = after.kind === 'reading' ? after.reading : null;
    if (reading?.state === 'succeeded') await this.finishing.finishAsRead(task, reading);
    else {
      await this.finishing.finish(task, (seen) => ({
        ...completionWithoutVideo(seen, 'cancelled', CANCELLED, taskTimeMs(seen)),
        upstream: reading?.native ?? null,
      }));
    }
    return null;
  }

  /** Ends a task after its deadline. It costs nothing, whether the upstream cancels it or not. */
  async expire(task: WorkerVideoTask, upstreamTaskId: string, channel: TaskChannel, stop: AbortSignal): Promise<void> {
    await this.cancelling.cancel(upstreamTaskId, channel, stop);
    await this.finishing.finish(task, expiredCompletion);
  }
}
