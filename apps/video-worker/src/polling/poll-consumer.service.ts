import { type Logger, logJobFailures } from '@gateway/observability';
import { createPollWorker, type PollWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { PollTask } from './poll-task.service.js';

/** Consumes the poll queue of each vendor separately: a slow vendor delays no other vendor's tasks. */
@Injectable()
export class PollConsumer {
  #workers: readonly PollWorker[] = [];

  constructor(
    private readonly polling: PollTask,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    const logFailure = logJobFailures(this.logger, 'poll job failed');
    this.#workers = this.config.vendors.map((vendor) =>
      createPollWorker({
        url: this.config.queueRedisUrl,
        vendor,
        concurrency: this.config.pollConcurrency,
        handle: (taskId, stop) => this.polling.poll(taskId, stop),
        onError: (err, jobId) => logFailure({ err, jobId, vendor }),
      }),
    );
  }

  /** False if a queue worker should fetch jobs but does not: only a restart helps. */
  get isAlive(): boolean {
    return this.#workers.every((worker) => worker.isAlive());
  }

  /** Stops consuming and waits for running polls, for at most `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
  }
}
