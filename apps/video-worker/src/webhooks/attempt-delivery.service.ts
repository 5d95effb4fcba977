import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpPools } from '@gateway/http';
import type { Logger, Tracing } from '@gateway/observability';
import { type AttemptOutcome, type ClaimedDelivery, type DisabledReason, isSealBroken } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TRACING, WEBHOOK_METRICS, WEBHOOK_POOLS, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { type AttemptResult, isDelivered, isGone, UNSIGNED, UNUSABLE } from './classify-attempt.js';
import { RETRY_DELAYS_MS, readRetryAfter, retryDelayMs } from './retry-schedule.js';
import { sendWebhook } from './send-webhook.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import { type ReportedAttempt, WebhookStore } from './webhook-store.service.js';

const MAX_REPORT_TRIES = 5;
const REPORT_PAUSE_MS = 1_000;

/** Makes one attempt at a delivery and reports it. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly store: WebhookStore,
    @Inject(WEBHOOK_POOLS) private readonly pools: HttpPools,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'webhooks'>,
    @Inject(WEBHOOK_METRICS) private readonly metrics: WebhookMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /**
   * Rejects if it sent nothing or could not store the outcome. The lease then expires, and a worker attempts the delivery
   * again.
   */
  async attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    if (delivery.attempt === 1) this.metrics.lag.observe(delivery.ageMs / 1_000);
    const startedAtMs = performance.now();
    const result = await this.#traced(delivery, signal);
    const durationMs = Math.round(performance.now() - startedAtMs);
    const outcome = this.#outcomeOf(delivery, result);
    this.metrics.attempts.inc({ outcome: outcome.outcome, reason: result.reason });
    this.metrics.duration.observe({ outcome: outcome.outcome }, durationMs / 1_000);
    const { status, error, responseBody } = result;
    const disabled = await this.#report(delivery, { ...outcome, durationMs, status, error, responseBody });
    const { id, accountId, attempt } = delivery;
    this.logger.debug(
      { deliveryId: id, accountId, attempt, status, error, outcome: outcome.outcome },
      'webhook attempted',
    );
    if (disabled === null) return;
    this.metrics.disabled.inc({ reason: disabled });
    this.logger.info({ deliveryId: id, accountId, reason: disabled }, 'webhook endpoint disabled');
  }

  /** The span names no address: it belongs to the customer. */
  #traced(delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptResult> {
    const { task, event, attempt } = delivery;
    const attributes = {
      'gateway.request_id': task?.requestId,
      'gateway.event_id': event.id,
      'gateway.event_type': event.type,
      'gateway.attempt': attempt,
    };
    const options = { role: 'client', link: task?.traceparent ?? null, attributes } as const;
    return this.tracing.withSpan('deliver webhook', options, async (span) => {
      const result = await this.#send(delivery, signal);
      span.update({
        attributes: { 'http.response.status_code': result.status ?? undefined },
        ...(!isDelivered(result.status) && { errorType: result.reason }),
      });
      return result;
    });
  }

  async #send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptResult> {
    const { timeoutMs, allowInsecure } = this.config.webhooks;
    try {
      const secrets = await this.store.signingSecrets(delivery.accountId);
      return await sendWebhook(delivery, { pools: this.pools, secrets, timeoutMs, signal, allowInsecure });
    } catch (error) {
      if (!isSealBroken(error)) throw error;
      this.logger.error({ err: error, accountId: delivery.accountId }, 'webhook secret unreadable');
      return UNSIGNED;
    }
  }

  #outcomeOf({ step }: ClaimedDelivery, { status, reason, retryAfter }: AttemptResult): AttemptOutcome {
    if (isDelivered(status)) return { outcome: 'delivered' };
    if (isGone(status)) return { outcome: 'gone' };
    if (reason === UNUSABLE.reason) return { outcome: 'failed' };
    const retryAfterMs = readRetryAfter(retryAfter, Date.now());
    const delaysMs = this.config.webhooks.retryDelaysMs ?? RETRY_DELAYS_MS;
    const retryInMs = retryDelayMs(delaysMs, step, Math.random(), retryAfterMs);
    return retryInMs === null ? { outcome: 'failed' } : { outcome: 'retry', retryInMs };
  }

  /** Retries: an unreported delivery would be sent twice. */
  async #report(delivery: ClaimedDelivery, report: ReportedAttempt): Promise<DisabledReason | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.store.report(delivery, report);
      } catch (error) {
        if (tries === MAX_REPORT_TRIES) throw error;
        await sleep(REPORT_PAUSE_MS);
      }
    }
  }
}
