import type { Metrics } from '@gateway/observability';

/** What an operator must know of the event streams, those that operators follow included. */
export const streamMetrics = (metrics: Metrics) => ({
  open: metrics.gauge('gateway_account_streams_open', 'Open event streams of accounts', []),
  streams: metrics.counter(
    'gateway_account_streams_total',
    'Event streams of accounts: opened, or refused because the account or the process has too many',
    ['outcome'],
  ),
});

export type StreamMetrics = ReturnType<typeof streamMetrics>;
