import type { SyncTicket, Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { createSyncWorker, SyncWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from './observability/metrics.js';
import { RunTicket } from './run-ticket.service.js';
import { CREATE_QUEUE_WORKER, LOGGER, WORKER_CONFIG, WORKER_METRICS, type WorkerConfig } from './tokens.js';

/** Runs one queue worker for each vendor that this process serves. */
@Injectable()
export class ConsumeTickets {
  #workers: readonly SyncWorker[] = [];

  constructor(
    private readonly tickets: RunTicket,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CREATE_QUEUE_WORKER) private readonly createWorker: typeof createSyncWorker,
  ) {}

  start(): void {
    this.#workers = this.config.vendors.map((vendor) => this.#openQueue(vendor));
  }

  /** False if a queue worker should fetch jobs but does not: only a restart helps. */
  get isAlive(): boolean {
    return this.#workers.every((worker) => worker.isAlive());
  }

  get activeByVendor(): readonly (readonly [Vendor, number])[] {
    return this.#workers.map(({ vendor, active }) => [vendor, active]);
  }

  /** Claims no more tickets, waits for running ones for at most `graceMs`, then aborts them. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
  }

  #openQueue(vendor: Vendor): SyncWorker {
    // Initialise to 0 so that `increase()` counts the first event.
    this.metrics.stalled.inc({ vendor }, 0);
    return this.createWorker({
      url: this.config.queueRedisUrl,
      vendor,
      concurrency: this.config.workerConcurrency,
      handle: (ticket: SyncTicket, stop: AbortSignal) => this.tickets.run(ticket, stop),
      onStalled: () => this.metrics.stalled.inc({ vendor }),
      onError: (error, requestId) => this.logger.error({ err: error, requestId, vendor }, 'queue worker failed'),
    });
  }
}
