import { type Logger, Loop } from '@gateway/observability';
import { type Database, webhookBacklog } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER, WEBHOOK_METRICS } from '../tokens.js';
import type { WebhookMetrics } from './webhook-metrics.js';

const INTERVAL_MS = 10_000;

/** Publishes the backlog of webhooks. Every worker reads it from PostgreSQL and reports the same. */
@Injectable()
export class ObserveWebhooks {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(WEBHOOK_METRICS) private readonly metrics: WebhookMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      run: () => this.#observe(),
      onError: (error) => logger.warn({ err: error }, 'webhook backlog not counted'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #observe(): Promise<void> {
    const backlog = await webhookBacklog(this.database);
    this.metrics.pending.set(backlog.pending);
    this.metrics.untried.set(backlog.unattempted);
    this.metrics.oldestPending.set(backlog.oldestMs / 1_000);
    this.metrics.oldestUntried.set(backlog.oldestUnattemptedMs / 1_000);
  }
}
