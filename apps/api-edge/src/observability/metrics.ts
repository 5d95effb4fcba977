import type { Metrics } from '@gateway/observability';

/** Counters and histograms of the edge. Dashboards rely on their names. */
export function edgeMetrics(metrics: Metrics) {
  const registered = {
    responseSeconds: metrics.histogram('gateway_answer_seconds', 'Seconds from admission to the last byte', [
      'endpoint',
      'model',
      'status',
    ]),
    idempotentRequests: metrics.counter('gateway_idempotent_requests_total', 'Requests with an idempotency key', [
      'outcome',
    ]),
    storedResponses: metrics.counter(
      'gateway_stored_responses_total',
      'Responses to be stored that were not stored at once: late (repeated in the background), lost (given up)',
      ['outcome'],
    ),
    keptContents: metrics.counter(
      'gateway_kept_contents_total',
      'Requests of keys that keep contents: kept, refused (the key has ended), full (the account keeps as much as it may), lost',
      ['outcome'],
    ),
    refusedBodies: metrics.counter(
      'gateway_refused_bodies_total',
      'Requests refused before their body was read: refusals (too many before), reads (too many), room (too much arrives), funds (no credit), unidentified (too many of an address without a valid key)',
      ['reason'],
    ),
    errors: metrics.counter(
      'gateway_errors_total',
      'Errors sent to clients: before admission (door), instead of a response (head), or within a stream (stream)',
      ['code', 'place'],
    ),
  };
  // The alert counts the first loss, so the counter starts at zero.
  for (const outcome of ['late', 'lost']) registered.storedResponses.inc({ outcome }, 0);
  return registered;
}

export type EdgeMetrics = ReturnType<typeof edgeMetrics>;
