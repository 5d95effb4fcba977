import { MODELS } from '@gateway/catalogue';
import type { Metrics } from '@gateway/observability';
import { beyondHold, type Settler } from '@gateway/redis';

/** Counters and histograms of the edge. Dashboards rely on their names. */
export function edgeMetrics(metrics: Metrics) {
  return {
    responseSeconds: metrics.histogram('gateway_answer_seconds', 'Seconds from admission to the last byte', [
      'endpoint',
      'model',
      'status',
    ]),
    idempotentRequests: metrics.counter('gateway_idempotent_requests_total', 'Requests with an idempotency key', [
      'outcome',
    ]),
    refusedBodies: metrics.counter(
      'gateway_refused_bodies_total',
      'Requests refused before their body was read: refusals (too many before), room (too much arrives), funds (no credit)',
      ['reason'],
    ),
    errors: metrics.counter(
      'gateway_errors_total',
      'Errors sent to clients: before admission (door), instead of a response (head), or within a stream (stream)',
      ['code', 'place'],
    ),
  };
}

export type EdgeMetrics = ReturnType<typeof edgeMetrics>;

/** Counts the debt of settlements that cost more than was held. */
export function countBeyondHold(metrics: Metrics, settler: Pick<Settler, 'onSettled'>): void {
  const counter = metrics.counter(
    'gateway_beyond_hold_nano_usd_total',
    'Nano-USD of debt by settlements that cost more than was held',
    ['model'],
  );
  // At 0 from the start, so that `increase()` counts the first debt.
  for (const { id } of MODELS) counter.inc({ model: id }, 0);
  settler.onSettled((event, settlement) => {
    const debt = beyondHold(event, settlement);
    if (debt > 0n) counter.inc({ model: event.model }, Number(debt));
  });
}
