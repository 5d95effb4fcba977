import { GatewayError, type TaskId } from '@gateway/contracts';
import { attemptEach } from '@gateway/observability';
import type { OverdueTask, TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../metrics.js';
import { EndSubmission } from '../submission/end-submission.service.js';
import { PollJobs } from '../task/poll-jobs.service.js';
import { TASK_POLLER, TASK_STORE, WORKER_METRICS } from '../tokens.js';

/** A poll job this late counts as lost. Above 0, because a busy queue delays jobs. */
const LATE_AFTER_MS = 3_000;
const BATCH = 1_000;
const ABANDONED_BATCH = 100;
/** A task this far past its deadline is unserved: no worker consumes its vendor's poll queue. */
const UNSERVED_AFTER_MS = 60_000;
const UNSERVED_BATCH = 20;

const WORKER_LOST = new GatewayError('worker_lost', 'The worker that submitted the task died.');

/** Polls one task. `PollTask` implements it. */
export interface TaskPoller {
  poll(taskId: TaskId, stop: AbortSignal): Promise<void>;
}

/**
 * Recovers tasks that no job and no worker would continue. It reads PostgreSQL only, so Redis may lose all data. Several
 * workers may sweep at once: job ids deduplicate poll jobs, and a write fails if the task's version has changed.
 */
@Injectable()
export class SweepTasks {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: Pick<TaskStore, 'overdue' | 'abandoned' | 'expired'>,
    private readonly jobs: PollJobs,
    private readonly ending: EndSubmission,
    @Inject(TASK_POLLER) private readonly poller: TaskPoller,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  /** A task that cannot be recovered is read again with every sweep, so it must not stop the others. */
  async sweep(signal: AbortSignal): Promise<void> {
    const steps = [() => this.#endAbandoned(), () => this.#rescheduleOverdue(), () => this.#pollUnserved(signal)];
    await attemptEach(steps, (step) => step());
  }

  /** Ends submissions whose worker died: as failed if no upstream was called, otherwise as unknown. */
  async #endAbandoned(): Promise<void> {
    await attemptEach(await this.tasks.abandoned(ABANDONED_BATCH), async (task) => {
      this.metrics.abandoned.inc({ vendor: task.vendor });
      await this.ending.failOrMarkUnknown(task, WORKER_LOST, task.attempts);
    });
  }

  async #rescheduleOverdue(): Promise<void> {
    const overdue = await this.tasks.overdue({ graceMs: LATE_AFTER_MS, limit: BATCH });
    const byVendor = Map.groupBy(overdue, (task: OverdueTask) => task.vendor);
    await attemptEach(byVendor, async ([vendor, tasks]) => {
      this.metrics.jobsRescheduled.inc({ vendor }, tasks.length);
      await this.jobs.schedule(
        vendor,
        tasks.map(({ taskId, pollNumber }) => ({ taskId, number: pollNumber, delayMs: 0 })),
      );
    });
  }

  async #pollUnserved(signal: AbortSignal): Promise<void> {
    await attemptEach(await this.tasks.expired(UNSERVED_AFTER_MS, UNSERVED_BATCH), async ({ taskId }) => {
      if (!signal.aborted) await this.poller.poll(taskId, signal);
    });
  }
}
