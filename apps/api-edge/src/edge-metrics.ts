import type { Metrics } from '@gateway/observability';

/** What this edge counts, by names that dashboards rely on. */
export function edgeMetrics(metrics: Metrics) {
  return {
    answerSeconds: metrics.histogram('gateway_answer_seconds', 'From admission to the last byte', [
      'endpoint',
      'model',
      'status',
    ]),
    idempotentRequests: metrics.counter('gateway_idempotent_requests_total', 'Requests with an idempotency key', [
      'outcome',
    ]),
    errors: metrics.counter(
      'gateway_errors_total',
      'Errors told to clients: at the door, in the place of an answer, or breaking one off',
      ['code', 'place'],
    ),
  };
}

export type EdgeMetrics = ReturnType<typeof edgeMetrics>;

export const EDGE_METRICS = Symbol('EdgeMetrics');
