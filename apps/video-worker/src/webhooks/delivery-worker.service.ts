import { type Logger, Loop } from '@gateway/observability';
import type { ClaimedDelivery } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WEBHOOK_METRICS, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { AttemptDelivery } from './attempt-delivery.service.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import { WebhookStore } from './webhook-store.service.js';

/** Covers reading the secrets before an attempt, and reporting its outcome to a slow database. */
const LEASE_SLACK_MS = 10_000;
/** On shutdown running attempts get this long. Another worker repeats the others. */
const SHUTDOWN_WAIT_MS = 5_000;
/** This part of the places is kept for accounts without a running attempt: a few silent receivers may fill the others. */
const KEPT_SHARE = 1 / 4;

/**
 * Claims due deliveries and attempts them. It polls PostgreSQL every `WEBHOOK_POLL_EVERY_MS`, after each notification and
 * after each attempt, so an empty Redis loses no webhook.
 */
@Injectable()
export class DeliveryWorker {
  readonly #loop: Loop;
  readonly #running = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #isKicked = false;

  constructor(
    private readonly store: WebhookStore,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'webhooks'>,
    @Inject(WEBHOOK_METRICS) private readonly metrics: WebhookMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly attempts: AttemptDelivery,
  ) {
    this.#loop = new Loop({
      intervalMs: config.webhooks.pollEveryMs,
      run: (signal) => this.#round(signal),
      onError: (error) => logger.warn({ err: error }, 'webhook deliveries not claimed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Claims again at once: a delivery may be due. */
  kick(): void {
    this.#isKicked = true;
    this.#loop.kick();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    const timer = setTimeout(() => this.#abort.abort(), SHUTDOWN_WAIT_MS);
    await Promise.all(this.#running);
    clearTimeout(timer);
  }

  /**
   * Repeats until a claim is empty. One claim reads the oldest deliveries only. If most go to one address, the limit for an
   * address leaves few of them, and the next claim reads further.
   */
  async #round(signal: AbortSignal): Promise<void> {
    let claimed: readonly ClaimedDelivery[];
    do {
      this.#isKicked = false;
      claimed = await this.#claim();
      for (const delivery of claimed) this.#begin(delivery);
    } while ((claimed.length > 0 || this.#isKicked) && !signal.aborted);
  }

  #claim(): Promise<readonly ClaimedDelivery[]> {
    const { concurrency, timeoutMs } = this.config.webhooks;
    const leaseMs = timeoutMs + LEASE_SLACK_MS;
    const free = concurrency - this.#running.size;
    const shared = free - Math.floor(concurrency * KEPT_SHARE);
    if (shared > 0) return this.store.claim(shared, leaseMs);
    return free > 0 ? this.store.claim(free, leaseMs, 1) : Promise.resolve([]);
  }

  #begin(delivery: ClaimedDelivery): void {
    const running = this.attempts
      .attempt(delivery, this.#abort.signal)
      .catch((error: unknown) => {
        this.metrics.unreported.inc();
        this.logger.warn({ err: error, deliveryId: delivery.id }, 'webhook attempt not reported');
      })
      .finally(() => {
        this.#running.delete(running);
        this.kick();
      });
    this.#running.add(running);
  }
}
