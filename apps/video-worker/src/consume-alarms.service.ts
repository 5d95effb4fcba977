import type { Logger } from '@gateway/observability';
import { createPollWorker, type PollWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { LookAtTask } from './look-at-task.service.js';

/** Looks at tasks as their alarms ring, each vendor's beside the others': one that is slow delays its own only. */
@Injectable()
export class ConsumeAlarms {
  #workers: readonly PollWorker[] = [];

  constructor(
    private readonly looks: LookAtTask,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#workers = this.config.vendors.map((vendor) =>
      createPollWorker({
        url: this.config.queueRedisUrl,
        vendor,
        concurrency: this.config.pollConcurrency,
        handle: (taskId, stop) => this.looks.look(taskId, stop),
        onError: (error, jobId) => this.logger.error({ err: error, jobId, vendor }, 'alarms'),
      }),
    );
  }

  /** False only where a restart would help: this worker should be fetching alarms and is not. */
  get isAlive(): boolean {
    return this.#workers.every((worker) => worker.isAlive());
  }

  /** Takes no more and lets looks that run end, for the grace time at most. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
  }
}
