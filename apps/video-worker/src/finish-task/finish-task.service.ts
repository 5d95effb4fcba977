import { isFinalVideoTask, renderVideoTask } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger, SpanNote, Tracing } from '@gateway/observability';
import { type Database, readPosition, type TaskEnd, type TaskStore, type WorkedVideoTask } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, LOGGER, TASK_STORE, TRACING } from '../doors.js';
import { FAILPOINTS, type Failpoints } from '../failpoints.js';
import { taskSpan } from '../task-span.js';
import { TellChange } from '../tell-change.service.js';
import { WORKER_METRICS, type WorkerMetrics } from '../worker-metrics.js';
import { afterEnd } from './end-of-task.js';

/** Ends a task: whoever comes first decides how, and everything that follows from it is one transaction. */
@Injectable()
export class FinishTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly admission: AdmissionStore,
    private readonly change: TellChange,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** `endOf` may be asked again, of the task as somebody else has changed it meanwhile. Gives the task as it ended. */
  finish(task: WorkedVideoTask, endOf: (task: WorkedVideoTask) => TaskEnd): Promise<WorkedVideoTask> {
    return this.tracing.within('end video', taskSpan('internal', task), async (span) => {
      const ended = await this.#finish(task, endOf);
      span.note(noteOf(ended));
      return ended;
    });
  }

  async #finish(task: WorkedVideoTask, endOf: (task: WorkedVideoTask) => TaskEnd): Promise<WorkedVideoTask> {
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

  #tell(task: WorkedVideoTask): void {
    const { requestId, taskId, accountId, model, state, error } = task;
    this.metrics.ended.inc({ model, state });
    if (task.holdNanoUsd > 0n && task.costNanoUsd === 0n) this.metrics.refunds.inc({ model, state });
    this.logger.info({ requestId, taskId, accountId, model, state, errorCode: error?.code }, 'task ended');
    this.change.tell(task);
    if (task.holdNanoUsd > 0n) void this.#tellRedis(task);
  }

  /** What the key has spent and what the customer has left. If it is lost the next admission or grant brings it. */
  async #tellRedis({ keyId, accountId, taskId }: WorkedVideoTask): Promise<void> {
    try {
      const spending = await this.tasks.readKeySpending(keyId);
      if (spending !== null) await this.admission.setSpending(spending);
      const [position, epoch] = await Promise.all([
        readPosition(this.database, accountId),
        this.admission.currentEpoch(),
      ]);
      if (position === null || epoch === null) return;
      const { customerNanoUsd, customerVersion } = position;
      await this.admission.setReserve({
        accountId,
        epoch,
        reserveNanoUsd: customerNanoUsd,
        reserveVersion: customerVersion,
      });
    } catch (error) {
      this.logger.debug({ err: error, taskId }, 'Redis is not told yet what a task has cost');
    }
  }
}

/** An end that the customer wished is none of anybody's faults. */
const noteOf = ({ state, error, createdAtMs, finishedAtMs }: WorkedVideoTask): SpanNote => ({
  attributes: {
    'gateway.task_state': state,
    'gateway.task_ms': (finishedAtMs ?? createdAtMs) - createdAtMs,
  },
  ...(state !== 'cancelled' && { errorType: error?.code }),
});
