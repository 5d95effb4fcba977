import { isFinalVideoTask, renderVideoTask } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { SpanUpdate, Tracing } from '@gateway/observability';
import { type TaskCompletion, type TaskStore, taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { Failpoints } from '../failpoints.js';
import { taskSpan } from '../task/task-span.js';
import { FAILPOINTS, TASK_STORE, TRACING } from '../tokens.js';
import { CompletionReporter } from './completion-reporter.service.js';
import { KeptResults } from './kept-results.service.js';
import { applyCompletion, completionFromReading, type FinalReading } from './task-completion.js';

/** Ends a task once. One transaction stores its state, cost, receipt, refund and event. */
@Injectable()
export class FinishTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly reporter: CompletionReporter,
    private readonly results: KeptResults,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /**
   * Returns the task as it ended, which another worker may have decided. Calls `completionFor` again if the task has changed
   * meanwhile.
   */
  finish(task: WorkerVideoTask, completionFor: (task: WorkerVideoTask) => TaskCompletion): Promise<WorkerVideoTask> {
    return this.tracing.withSpan('complete video', taskSpan('internal', task), async (span) => {
      const ended = await this.#finish(task, completionFor);
      span.update(spanUpdateOf(ended));
      return ended;
    });
  }

  /** Ends a task with its upstream's final reading. */
  async finishAsRead(task: WorkerVideoTask, reading: FinalReading): Promise<void> {
    const nowMs = taskTimeMs(task);
    if (reading.endedAtMs !== undefined) this.reporter.observeDetectionLag(reading.endedAtMs, nowMs);
    if (reading.state === 'succeeded') this.reporter.raiseUnpriced(task, reading.unpriced ?? []);
    await this.finish(task, (seen) => completionFromReading(seen, reading, nowMs));
  }

  async #finish(
    task: WorkerVideoTask,
    completionFor: (task: WorkerVideoTask) => TaskCompletion,
  ): Promise<WorkerVideoTask> {
    for (let seen = task; ; ) {
      const completion = this.results.nameFiles(seen, completionFor(seen));
      const record = renderVideoTask(applyCompletion(seen, completion), formatUsd, this.results.link);
      this.failpoints.reach('before-finish');
      const ended = await this.tasks.finish(seen, completion, record);
      if (ended !== null) {
        this.failpoints.reach('after-finish');
        this.reporter.report(ended);
        return ended;
      }
      const current = await this.tasks.find(task.taskId);
      if (current === null) throw new Error(`task ${task.taskId} no longer exists`);
      if (isFinalVideoTask(current.state)) return current;
      seen = current;
    }
  }
}

/** A cancelled task is no error. */
const spanUpdateOf = ({ state, error, createdAtMs, finishedAtMs }: WorkerVideoTask): SpanUpdate => ({
  attributes: {
    'gateway.task_state': state,
    'gateway.task_ms': (finishedAtMs ?? createdAtMs) - createdAtMs,
  },
  ...(state !== 'cancelled' && { errorType: error?.code }),
});
