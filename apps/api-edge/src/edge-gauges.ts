import type { Metrics } from '@gateway/observability';
import { type CountedQueues, QueueCensus } from './queue-census.js';

/** What of this edge is looked at when somebody asks for its metrics. */
export interface EdgeInside {
  readonly queues: CountedQueues;
  readonly running: { readonly count: number };
  readonly relay: { readonly workerCount: number };
  readonly settler: { readonly openCount: number };
}

/** Gauges are read at each scrape. The queues are the same for every edge: dashboards take the largest answer, not the sum. */
export function edgeGauges(metrics: Metrics, { queues, running, relay, settler }: EdgeInside): void {
  const census = new QueueCensus(queues);
  metrics.gauge('gateway_running_requests', 'Requests in hand', [], (gauge) => gauge.set(running.count));
  metrics.gauge('gateway_relay_workers', 'Workers that are connected to this edge', [], (gauge) =>
    gauge.set(relay.workerCount),
  );
  metrics.gauge('gateway_settlements_open', 'Settlements of this process that Redis has not taken', [], (gauge) =>
    gauge.set(settler.openCount),
  );
  metrics.gauge(
    'gateway_queue_waiting_jobs',
    'Jobs of up to 8 tickets that no worker has taken',
    ['kind', 'vendor'],
    (gauge) => census.fill(gauge, ({ waiting }) => waiting),
  );
  metrics.gauge('gateway_queue_active_jobs', 'Jobs that workers have in hand', ['kind', 'vendor'], (gauge) =>
    census.fill(gauge, ({ active }) => active),
  );
  metrics.gauge(
    'gateway_queue_oldest_wait_seconds',
    'How long the first waiting job has waited',
    ['kind', 'vendor'],
    (gauge) => census.fill(gauge, ({ oldestWaitMs }) => oldestWaitMs / 1_000),
  );
}
