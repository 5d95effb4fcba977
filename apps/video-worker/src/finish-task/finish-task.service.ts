import { isFinalVideoTask, renderVideoTask } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger, SpanUpdate, Tracing } from '@gateway/observability';
import type { TaskCompletion, TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE, TRACING } from '../doors.js';
import { FAILPOINTS, type Failpoints } from '../failpoints.js';
import { taskSpan } from '../task-span.js';
import { TellChange } from '../tell-change.service.js';
import { WORKER_METRICS, type WorkerMetrics } from '../worker-metrics.js';
import { afterEnd, endByReading, type FinalReading } from './end-of-task.js';
import { TellMoney } from './tell-money.service.js';

/** Ends a task: whoever comes first decides how, and everything that follows from it is one transaction. */
@Injectable()
export class FinishTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly change: TellChange,
    private readonly money: TellMoney,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** `endOf` may be asked again, of the task as somebody else has changed it meanwhile. Gives the task as it ended. */
  finish(task: WorkerVideoTask, endOf: (task: WorkerVideoTask) => TaskCompletion): Promise<WorkerVideoTask> {
    return this.tracing.withSpan('end video', taskSpan('internal', task), async (span) => {
      const ended = await this.#finish(task, endOf);
      span.update(noteOf(ended));
      return ended;
    });
  }

  /** As its upstream says that it ended. */
  async finishAsRead(task: WorkerVideoTask, reading: FinalReading): Promise<void> {
    const nowMs = Date.now();
    if (reading.endedAtMs !== undefined) {
      this.metrics.detectionLag.observe(Math.max(0, nowMs - reading.endedAtMs) / 1_000);
    }
    await this.finish(task, (seen) => endByReading(seen, reading, nowMs));
  }

  async #finish(task: WorkerVideoTask, endOf: (task: WorkerVideoTask) => TaskCompletion): Promise<WorkerVideoTask> {
    for (let seen = task; ; ) {
      const end = endOf(seen);
      const record = renderVideoTask(afterEnd(seen, end), formatUsd);
      this.failpoints.reach('before-finish');
      const ended = await this.tasks.finish(seen, end, record);
      if (ended !== null) {
        this.failpoints.reach('after-finish');
        this.#tell(ended);
        return ended;
      }
      const now = await this.tasks.find(task.taskId);
      if (now === null) throw new Error(`${task.taskId} is gone`);
      if (isFinalVideoTask(now.state)) return now;
      seen = now;
    }
  }

  #tell(task: WorkerVideoTask): void {
    const { requestId, taskId, accountId, model, state, error } = task;
    this.metrics.ended.inc({ model, state });
    if (task.holdNanoUsd > 0n && task.costNanoUsd === 0n) this.metrics.refunds.inc({ model, state });
    this.logger.info({ requestId, taskId, accountId, model, state, errorCode: error?.code }, 'task ended');
    this.change.tell(task);
    if (task.holdNanoUsd > 0n) this.money.tell(task);
  }
}

/** An end that the customer wished is none of anybody's faults. */
const noteOf = ({ state, error, createdAtMs, finishedAtMs }: WorkerVideoTask): SpanUpdate => ({
  attributes: {
    'gateway.task_state': state,
    'gateway.task_ms': (finishedAtMs ?? createdAtMs) - createdAtMs,
  },
  ...(state !== 'cancelled' && { errorType: error?.code }),
});
