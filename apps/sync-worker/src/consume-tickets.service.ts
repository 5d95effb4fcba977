import type { ProcessReport, TicketQueueKind, Vendor } from '@gateway/contracts';
import { type Logger, logJobFailures } from '@gateway/observability';
import { type createTicketWorker, FairSlots, type SyncWorker } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from './observability/metrics.js';
import { RunTicket } from './run-ticket.service.js';
import { CREATE_QUEUE_WORKER, LOGGER, WORKER_CONFIG, WORKER_METRICS, type WorkerConfig } from './tokens.js';

/** Runs two queue workers for each vendor that this process serves: one for test keys, which have slots of their own. */
@Injectable()
export class ConsumeTickets {
  #workers: readonly SyncWorker[] = [];
  #testWorkers: readonly SyncWorker[] = [];
  readonly #logFailure: ReturnType<typeof logJobFailures>;

  constructor(
    private readonly tickets: RunTicket,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) logger: Logger,
    @Inject(CREATE_QUEUE_WORKER) private readonly createWorker: typeof createTicketWorker,
  ) {
    this.#logFailure = logJobFailures(logger, 'queue worker failed');
  }

  start(): void {
    const { vendors, workerConcurrency, testConcurrency } = this.config;
    const testSlots = new FairSlots(testConcurrency);
    this.#workers = vendors.map((vendor) => this.#openQueue('sync', vendor, new FairSlots(workerConcurrency)));
    this.#testWorkers = vendors.map((vendor) => this.#openQueue('sync-test', vendor, testSlots));
  }

  /** False if a queue worker should fetch jobs but does not: only a restart helps. */
  get isAlive(): boolean {
    return this.#allWorkers.every((worker) => worker.isAlive());
  }

  /** Slots of each queue. All queues of test keys share theirs. */
  get slots(): ProcessReport['slots'] {
    const { workerConcurrency, testConcurrency } = this.config;
    const slotsOf = (kind: TicketQueueKind, size: number) => (worker: SyncWorker) => ({
      kind,
      vendor: worker.vendor,
      size,
      active: worker.active,
      waiting: worker.waiting,
    });
    return [
      ...this.#workers.map(slotsOf('sync', workerConcurrency)),
      ...this.#testWorkers.map(slotsOf('sync-test', testConcurrency)),
    ];
  }

  /** Requests of live keys. */
  get loadByVendor(): readonly Pick<SyncWorker, 'vendor' | 'active' | 'waiting'>[] {
    return this.#workers;
  }

  get activeTests(): number {
    return this.#testWorkers.reduce((sum, { active }) => sum + active, 0);
  }

  /** Claims no more tickets, waits for running ones for at most `graceMs`, then aborts them. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all(this.#allWorkers.map((worker) => worker.close(graceMs)));
  }

  get #allWorkers(): readonly SyncWorker[] {
    return [...this.#workers, ...this.#testWorkers];
  }

  #openQueue(kind: TicketQueueKind, vendor: Vendor, slots: FairSlots): SyncWorker {
    // Initialise to 0 so that `increase()` counts the first event.
    this.metrics.stalled.inc({ vendor }, 0);
    return this.createWorker({
      url: this.config.queueRedisUrl,
      kind,
      vendor,
      slots,
      handle: (ticket, stop, onClaimed) => this.tickets.run(ticket, stop, onClaimed),
      onStalled: () => this.metrics.stalled.inc({ vendor }),
      onError: (err, requestId) => this.#logFailure({ err, requestId, kind, vendor }),
    });
  }
}
