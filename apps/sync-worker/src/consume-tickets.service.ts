import type { SyncTicket, Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { createSyncWorker, type SyncWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from './observability-door.js';
import { RunTicket } from './run-ticket.service.js';
import { WORKER_CONFIG, type WorkerConfig } from './worker-config.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** Takes tickets from the queue of each vendor that this worker serves. */
@Injectable()
export class ConsumeTickets {
  #workers: readonly SyncWorker[] = [];

  constructor(
    private readonly tickets: RunTicket,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#workers = this.config.vendors.map((vendor) => this.#workerOf(vendor));
  }

  /** False only where a restart would help: this worker should be fetching tickets and is not. */
  get isAlive(): boolean {
    return this.#workers.every((worker) => worker.isAlive());
  }

  get activeByVendor(): readonly (readonly [Vendor, number])[] {
    return this.#workers.map(({ vendor, active }) => [vendor, active]);
  }

  /** Takes no more tickets and lets those that run end, for the grace time at most. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
  }

  #workerOf(vendor: Vendor): SyncWorker {
    // From zero on: the first one of all is no increase of anything else.
    this.metrics.stalled.inc({ vendor }, 0);
    return createSyncWorker({
      url: this.config.queueRedisUrl,
      vendor,
      concurrency: this.config.workerConcurrency,
      handle: (ticket: SyncTicket, stop: AbortSignal) => this.tickets.run(ticket, stop),
      onStalled: () => this.metrics.stalled.inc({ vendor }),
      onError: (error, requestId) => this.logger.error({ err: error, requestId, vendor }, 'queue worker'),
    });
  }
}
