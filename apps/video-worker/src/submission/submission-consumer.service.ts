import type { SyncTicket } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { createVideoWorker, type SyncWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { RunSubmission } from './run-submission.service.js';

/** Consumes the submission queue of each vendor that this worker serves. */
@Injectable()
export class SubmissionConsumer {
  #workers: readonly SyncWorker[] = [];

  constructor(
    private readonly submissions: RunSubmission,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#workers = this.config.vendors.map((vendor) =>
      createVideoWorker({
        url: this.config.queueRedisUrl,
        vendor,
        concurrency: this.config.submitConcurrency,
        handle: (ticket: SyncTicket, stop: AbortSignal) => this.submissions.run(ticket, stop),
        onError: (error, requestId) => this.logger.error({ err: error, requestId, vendor }, 'submission job failed'),
      }),
    );
  }

  /** False if a queue worker should fetch tickets but does not: only a restart helps. */
  get isAlive(): boolean {
    return this.#workers.every((worker) => worker.isAlive());
  }

  /** Stops consuming and waits for running submissions, for at most `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
  }
}
