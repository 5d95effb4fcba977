import { type Logger, Loop } from '@gateway/observability';
import type { TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../metrics.js';
import { LOGGER, TASK_STORE, WORKER_METRICS } from '../tokens.js';

const INTERVAL_MS = 10_000;

/** Publishes the number and age of open tasks. Every worker reads them from PostgreSQL and reports the same. */
@Injectable()
export class ObserveTasks {
  readonly #loop: Loop;

  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      run: () => this.observe(),
      onError: (error) => logger.warn({ err: error }, 'open tasks not counted'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async observe(): Promise<void> {
    const counts = await this.tasks.countOpen();
    // Clears states without tasks: they would keep their last value.
    this.metrics.openTasks.reset();
    this.metrics.oldestTaskSeconds.reset();
    for (const { state, model, count } of counts) this.metrics.openTasks.set({ state, model }, count);
    for (const [state, group] of Map.groupBy(counts, (count) => count.state)) {
      this.metrics.oldestTaskSeconds.set({ state }, Math.max(...group.map(({ ageSeconds }) => ageSeconds)));
    }
  }
}
