import { type Logger, Loop } from '@gateway/observability';
import { type Database, webhookBacklog } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER } from '../doors.js';
import { WEBHOOK_METRICS, type WebhookMetrics } from './webhook-metrics.js';

const EVERY_MS = 10_000;

/** Publishes what is still to be sent, as Postgres has it: every worker says the same. */
@Injectable()
export class ObserveWebhooks {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(WEBHOOK_METRICS) private readonly metrics: WebhookMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.#observe(),
      onError: (error) => logger.warn({ err: error }, 'cannot count deliveries of webhooks'),
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
