import type { Metrics } from '@gateway/observability';

/** What this worker counts, by names that dashboards rely on. */
export function workerMetrics(metrics: Metrics) {
  return {
    tickets: metrics.counter('gateway_worker_tickets_total', 'Tickets by how they ended', ['outcome']),
    queueWaitSeconds: metrics.histogram('gateway_queue_wait_seconds', 'From admission to claim', []),
    stalled: metrics.counter('gateway_stalled_jobs_total', 'Jobs whose worker died or stood still', ['vendor']),
    upstreamSeconds: metrics.histogram(
      'gateway_upstream_seconds',
      'From a call to the first byte of its answer, or to its failure',
      ['channel', 'outcome'],
    ),
    credentialsRefused: metrics.counter(
      'gateway_channel_credential_refused_total',
      'Rests of a channel, or of one model on it, because the vendor refused the credential',
      ['channel'],
    ),
    breakerOpen: metrics.gauge(
      'gateway_channel_breaker_open',
      'Channels with an open breaker that have answered nobody since',
      ['channel'],
    ),
  };
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

export const WORKER_METRICS = Symbol('WorkerMetrics');
