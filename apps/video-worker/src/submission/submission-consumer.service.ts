import type { TicketQueueKind, Vendor } from '@gateway/contracts';
import { type Logger, logJobFailures } from '@gateway/observability';
import { createTicketWorker, FairSlots, type SyncWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { RunSubmission } from './run-submission.service.js';

/** Consumes the two submission queues of each vendor that this worker serves: test keys have one, and slots, of their own. */
@Injectable()
export class SubmissionConsumer {
  #workers: readonly SyncWorker[] = [];
  readonly #logFailure: ReturnType<typeof logJobFailures>;

  constructor(
    private readonly submissions: RunSubmission,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#logFailure = logJobFailures(logger, 'submission job failed');
  }

  start(): void {
    const { vendors, submitConcurrency, testConcurrency } = this.config;
    const testSlots = new FairSlots(testConcurrency);
    this.#workers = vendors.flatMap((vendor) => [
      this.#openQueue('video', vendor, new FairSlots(submitConcurrency)),
      this.#openQueue('video-test', vendor, testSlots),
    ]);
  }

  /** False if a queue worker should fetch tickets but does not: only a restart helps. */
  get isAlive(): boolean {
    return this.#workers.every((worker) => worker.isAlive());
  }

  /** Stops consuming and waits for running submissions, for at most `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
  }

  #openQueue(kind: TicketQueueKind, vendor: Vendor, slots: FairSlots): SyncWorker {
    return createTicketWorker({
      url: this.config.queueRedisUrl,
      kind,
      vendor,
      slots,
      handle: (ticket, stop, onClaimed) => this.submissions.run(ticket, stop, onClaimed),
      onError: (err, requestId) => this.#logFailure({ err, requestId, kind, vendor }),
    });
  }
}
