import { type Logger, Loop } from '@gateway/observability';
import { type ClaimedDelivery, claimDeliveries, type Database } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { AttemptDelivery } from './attempt-delivery.service.js';
import { WEBHOOK_METRICS, type WebhookMetrics } from './webhook-metrics.js';

/** What an attempt needs besides its time: reading secrets before it, and reporting it to a slow database after it. */
const LEASE_SLACK_MS = 10_000;
/** Attempts that are under way at the end may finish until then; the others are made again by another worker. */
const LAST_ATTEMPTS_MS = 5_000;

/**
 * Takes deliveries that are due and attempts them. Postgres is the alarm clock as well as the truth: it is asked every
 * second, and at once after a hint or when a place becomes free, so an empty Redis loses nothing.
 */
@Injectable()
export class NotifyCustomers {
  readonly #loop: Loop;
  readonly #running = new Set<Promise<void>>();
  readonly #breakOff = new AbortController();
  #isWanted = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'webhooks'>,
    @Inject(WEBHOOK_METRICS) private readonly metrics: WebhookMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly attemptDelivery: AttemptDelivery,
  ) {
    this.#loop = new Loop({
      intervalMs: config.webhooks.pollEveryMs,
      run: (signal) => this.#round(signal),
      onError: (error) => logger.warn({ err: error }, 'cannot take deliveries of webhooks'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Something may be due. */
  kick(): void {
    this.#isWanted = true;
    this.#loop.kick();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    const timer = setTimeout(() => this.#breakOff.abort(), LAST_ATTEMPTS_MS);
    await Promise.all(this.#running);
    clearTimeout(timer);
  }

  /**
   * Until nothing more is due that there is a place for. A claim looks at the oldest only: where those are many to one
   * address, it takes the few that may go there at once, and the next claim looks past them.
   */
  async #round(signal: AbortSignal): Promise<void> {
    let taken: readonly ClaimedDelivery[];
    do {
      this.#isWanted = false;
      taken = await this.#claim();
      for (const delivery of taken) this.#begin(delivery);
    } while ((taken.length > 0 || this.#isWanted) && !signal.aborted);
  }

  #claim(): Promise<readonly ClaimedDelivery[]> {
    const { concurrency, timeoutMs, hostConcurrency, accountConcurrency } = this.config.webhooks;
    const limit = concurrency - this.#running.size;
    if (limit <= 0) return Promise.resolve([]);
    const leaseMs = timeoutMs + LEASE_SLACK_MS;
    return claimDeliveries(this.database, {
      limit,
      leaseMs,
      hostLimit: hostConcurrency,
      accountLimit: accountConcurrency,
    });
  }

  #begin(delivery: ClaimedDelivery): void {
    const running = this.attemptDelivery
      .attempt(delivery, this.#breakOff.signal)
      .catch((error: unknown) => {
        this.metrics.unreported.inc();
        this.logger.warn({ err: error, deliveryId: delivery.id }, 'an attempt at a webhook has no outcome');
      })
      .finally(() => {
        this.#running.delete(running);
        this.kick();
      });
    this.#running.add(running);
  }
}
