import type { Metrics } from '@gateway/observability';

/** What is counted of webhooks, by names that dashboards and alerts rely on. */
export function webhookMetrics(metrics: Metrics) {
  return {
    lag: metrics.histogram('gateway_webhook_lag_seconds', 'From an event to the first attempt to tell of it', []),
    duration: metrics.histogram('gateway_webhook_attempt_seconds', 'How long attempts take', ['outcome']),
    attempts: metrics.counter('gateway_webhook_attempts_total', 'Attempts by what they came to', ['outcome', 'reason']),
    unreported: metrics.counter('gateway_webhook_unreported_total', 'Attempts whose outcome was lost: made again', []),
    disabled: metrics.counter('gateway_webhook_endpoints_disabled_total', 'Endpoints disabled by themselves', [
      'reason',
    ]),
    pending: metrics.gauge('gateway_webhook_pending', 'Deliveries that have not ended', []),
    untried: metrics.gauge('gateway_webhook_untried', 'Deliveries that nobody has tried yet', []),
    oldestPending: metrics.gauge('gateway_webhook_oldest_pending_seconds', 'Age of the oldest pending delivery', []),
    oldestUntried: metrics.gauge('gateway_webhook_oldest_untried_seconds', 'Age of the oldest untried delivery', []),
  };
}

export type WebhookMetrics = ReturnType<typeof webhookMetrics>;

export const WEBHOOK_METRICS = Symbol('WebhookMetrics');
