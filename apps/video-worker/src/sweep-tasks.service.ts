import { GatewayError } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { OverdueTask, TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { EndSubmission } from './end-submission.service.js';
import { LookAtTask } from './look-at-task.service.js';
import { SetAlarms } from './set-alarms.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** An alarm may be so late before it is taken to be lost: queues are not always empty. */
const LATE_AFTER_MS = 3_000;
const BATCH = 1_000;
const ABANDONED_BATCH = 100;
/** A task whose time has been over for so long has an alarm that nobody hears: its vendor is served by no worker. */
const UNHEARD_AFTER_MS = 60_000;
const UNHEARD_BATCH = 20;

const WORKER_LOST = new GatewayError('worker_lost', 'The process that submitted your task was lost.');

/**
 * Finds what nobody would come back to: tasks whose alarm is lost with a Redis, submissions whose worker has died. Postgres
 * alone is asked, so Redis may be emptied at any time. Any number of workers may sweep: an alarm that is set twice rings
 * once, and a task is changed only as it was seen.
 */
@Injectable()
export class SweepTasks {
  readonly #loop: Loop;

  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly alarms: SetAlarms,
    private readonly ending: EndSubmission,
    private readonly looks: LookAtTask,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: config.sweepEveryMs,
      run: (signal) => this.sweep(signal),
      onError: (error) => logger.warn({ err: error }, 'cannot sweep tasks'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Resolves when the round under way is over. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async sweep(signal: AbortSignal): Promise<void> {
    await this.#endAbandoned();
    await this.#setAlarms();
    await this.#lookAtUnheard(signal);
  }

  async #setAlarms(): Promise<void> {
    const overdue = await this.tasks.overdue({ graceMs: LATE_AFTER_MS, limit: BATCH });
    for (const [vendor, tasks] of Map.groupBy(overdue, (task: OverdueTask) => task.vendor)) {
      this.metrics.alarmsSet.inc({ vendor }, tasks.length);
      await this.alarms.set(
        vendor,
        tasks.map(({ taskId, pollNumber }) => ({ taskId, number: pollNumber, delayMs: 0 })),
      );
    }
  }

  /** Where no upstream was asked the task has failed; else it may be running, and is looked for. */
  async #endAbandoned(): Promise<void> {
    for (const task of await this.tasks.abandoned(ABANDONED_BATCH)) {
      this.metrics.abandoned.inc({ vendor: task.vendor });
      if (task.askedAtMs === null) await this.ending.refuse(task, WORKER_LOST, task.attempts);
      else await this.ending.lookForIt(task, task.attempts);
    }
  }

  async #lookAtUnheard(signal: AbortSignal): Promise<void> {
    for (const { taskId } of await this.tasks.unheard(UNHEARD_AFTER_MS, UNHEARD_BATCH)) {
      if (!signal.aborted) await this.looks.look(taskId, signal);
    }
  }
}
