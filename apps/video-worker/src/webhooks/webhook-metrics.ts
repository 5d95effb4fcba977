import type { Metrics } from '@gateway/observability';

/** The metrics of webhooks. Dashboards and alerts rely on the names. */
export function webhookMetrics(metrics: Metrics) {
  return {
    lag: metrics.histogram('gateway_webhook_lag_seconds', 'From an event to its first attempt', []),
    duration: metrics.histogram('gateway_webhook_attempt_seconds', 'Duration of attempts', ['outcome']),
    attempts: metrics.counter('gateway_webhook_attempts_total', 'Attempts by outcome', ['outcome', 'reason']),
    unreported: metrics.counter('gateway_webhook_unreported_total', 'Attempts whose outcome was lost: repeated', []),
    disabled: metrics.counter('gateway_webhook_endpoints_disabled_total', 'Endpoints disabled automatically', [
      'reason',
    ]),
    pending: metrics.gauge('gateway_webhook_pending', 'Open deliveries', []),
    untried: metrics.gauge('gateway_webhook_untried', 'Deliveries without an attempt', []),
    oldestPending: metrics.gauge('gateway_webhook_oldest_pending_seconds', 'Age of the oldest pending delivery', []),
    oldestUntried: metrics.gauge('gateway_webhook_oldest_untried_seconds', 'Age of the oldest untried delivery', []),
  };
}

export type WebhookMetrics = ReturnType<typeof webhookMetrics>;
