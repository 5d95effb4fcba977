import { type Logger, Loop } from '@gateway/observability';
import type { TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE } from './doors.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

const EVERY_MS = 10_000;

/** Publishes how many tasks are open and how old they are, as Postgres has them: every worker says the same. */
@Injectable()
export class ObserveTasks {
  readonly #loop: Loop;

  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.observe(),
      onError: (error) => logger.warn({ err: error }, 'cannot count tasks'),
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
    // A state that nothing is in any more must not keep its last number.
    this.metrics.openTasks.reset();
    this.metrics.oldestTaskSeconds.reset();
    for (const { state, model, count } of counts) this.metrics.openTasks.set({ state, model }, count);
    for (const [state, ofState] of Map.groupBy(counts, (one) => one.state)) {
      this.metrics.oldestTaskSeconds.set({ state }, Math.max(...ofState.map(({ ageSeconds }) => ageSeconds)));
    }
  }
}
