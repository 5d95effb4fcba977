import { type Logger, Loop } from '@gateway/observability';
import type { OverdueTask, TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { SetAlarms } from './set-alarms.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** An alarm may be so late before it is taken to be lost: queues are not always empty. */
const LATE_AFTER_MS = 3_000;
const BATCH = 1_000;

/**
 * Finds what nobody would come back to: tasks whose alarm is lost with a Redis or a worker. Postgres alone is asked, so
 * Redis may be emptied at any time. Any number of workers may sweep: an alarm that is set twice rings once.
 */
@Injectable()
export class SweepTasks {
  readonly #loop: Loop;

  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly alarms: SetAlarms,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      everyMs: config.sweepEveryMs,
      round: () => this.sweep(),
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

  async sweep(): Promise<void> {
    const overdue = await this.tasks.overdue({ graceMs: LATE_AFTER_MS, limit: BATCH });
    for (const [vendor, tasks] of Map.groupBy(overdue, (task: OverdueTask) => task.vendor)) {
      this.metrics.alarmsSet.inc({ vendor }, tasks.length);
      await this.alarms.set(
        vendor,
        tasks.map(({ taskId, pollNumber }) => ({ taskId, number: pollNumber, delayMs: 0 })),
      );
    }
  }
}
