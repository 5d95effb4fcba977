import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { endTooLate, endWithout } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { AskTask } from './poll-task/ask-task.service.js';
import { CancelUpstream } from './poll-task/cancel-upstream.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import type { TaskCursor } from './task-channels.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

const AS_WISHED = { code: 'task_cancelled', message: 'The task was cancelled. Nothing is charged.' };

/** Stops a task before it has ended by itself: since its customer wants it, or since its time is over. */
@Injectable()
export class StopTask {
  constructor(
    private readonly cancelling: CancelUpstream,
    private readonly asking: AskTask,
    private readonly finishing: FinishTask,
    private readonly next: ScheduleLook,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  /** The customer wants it stopped. Gives the task if it goes on all the same; null: it has ended. */
  async asWished(
    task: WorkerVideoTask,
    upstreamTaskId: string,
    place: TaskCursor,
    stop: AbortSignal,
  ): Promise<WorkerVideoTask | null> {
    const outcome = await this.cancelling.cancel(upstreamTaskId, place, stop);
    this.metrics.cancellations.inc({ vendor: task.vendor, outcome });
    if (outcome === 'refused') return this.next.noteCancelRefused(task);
    if (outcome === 'unknown') return task;
    // What it says of itself counts for more than what was said of stopping it.
    const after = await this.asking.ask(upstreamTaskId, place, stop);
    const reading = after.kind === 'reading' ? after.reading : null;
    if (reading?.state === 'succeeded') await this.finishing.finishAsRead(task, reading);
    else {
      await this.finishing.finish(task, (seen) => ({
        ...endWithout(seen, 'cancelled', AS_WISHED, Date.now()),
        upstream: reading?.native ?? null,
      }));
    }
    return null;
  }

  /** Its time is over, and it was asked for once more: it is stopped if that can be, and costs nothing either way. */
  async asTooLate(task: WorkerVideoTask, upstreamTaskId: string, place: TaskCursor, stop: AbortSignal): Promise<void> {
    await this.cancelling.cancel(upstreamTaskId, place, stop);
    await this.finishing.finish(task, endTooLate);
  }
}
