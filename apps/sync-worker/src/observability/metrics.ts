import type { Metrics } from '@gateway/observability';
import type { RequestBacklog } from '@gateway/postgres';

/** Registers this worker's counters and histograms. Dashboards and alerts rely on the names. */
export function workerMetrics(metrics: Metrics) {
  return {
    tickets: metrics.counter('gateway_worker_tickets_total', 'Tickets by outcome', ['outcome']),
    detachedRunning: metrics.gauge('gateway_worker_detached_reads', 'Responses read on without their client', []),
    detachedReads: metrics.counter('gateway_detached_reads_total', 'Responses read on without their client, by end', [
      'outcome',
    ]),
    queueWaitSeconds: metrics.histogram('gateway_queue_wait_seconds', 'From admission to claim', []),
    durableRequests: metrics.counter('gateway_durable_requests_total', 'Requests with a kept result, by end', [
      'status',
    ]),
    recoveredRequests: metrics.counter(
      'gateway_recovered_requests_total',
      'Requests with a kept result that a sweep moved on, by what it did',
      ['action'],
    ),
    streamsWithoutRoom: metrics.counter(
      'gateway_live_streams_without_room_total',
      'Streams whose readers get the rest at their end, because their account or the gateway has no room for more',
      [],
    ),
    namedImages: metrics.counter(
      'gateway_named_images_total',
      "Images that vendors answered by address: named (the gateway's address went out), vendor_address (its rows failed)",
      ['outcome'],
    ),
    stalled: metrics.counter('gateway_stalled_jobs_total', 'Jobs whose worker died or hung', ['vendor']),
    upstreamSeconds: metrics.histogram(
      'gateway_upstream_seconds',
      'From an upstream call to the first byte of its response, or to its failure',
      ['channel', 'outcome'],
    ),
    unpricedUsage: metrics.counter(
      'gateway_unpriced_usage_total',
      "Fields of an upstream's usage that may be billed and have no price here",
      ['protocol', 'field'],
    ),
  };
}

/** The same in every worker. A scrape without PostgreSQL keeps the last values. */
export function keptRequestGauges(metrics: Metrics, requests: { backlog(): Promise<RequestBacklog> }): void {
  const oldest = metrics.gauge(
    'gateway_kept_requests_oldest_wait_seconds',
    'Age of the oldest request with a kept result that no worker has taken',
    [],
  );
  const unsettled = metrics.gauge(
    'gateway_kept_requests_unsettled',
    'Requests with a kept result that have ended, and whose settlement Redis has not confirmed',
    [],
  );
  const oldestUnsettled = metrics.gauge(
    'gateway_kept_requests_oldest_unsettled_seconds',
    'Time since the end of the first of them',
    [],
  );
  metrics.gauge(
    'gateway_kept_requests',
    'Requests with a kept result that have not ended',
    ['status'],
    async (gauge) => {
      const backlog = await requests.backlog().catch(() => undefined);
      if (backlog === undefined) return;
      gauge.set({ status: 'queued' }, backlog.queued);
      gauge.set({ status: 'in_progress' }, backlog.inProgress);
      oldest.set(backlog.oldestQueuedSeconds);
      unsettled.set(backlog.unsettled);
      oldestUnsettled.set(backlog.oldestUnsettledSeconds);
    },
  );
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

/** What the gauges read at each scrape. */
export interface GaugeSources {
  readonly tickets: {
    readonly loadByVendor: Iterable<{ readonly vendor: string; readonly active: number; readonly waiting: number }>;
    readonly activeTests: number;
  };
  readonly relay: { readonly edgeCount: number };
  readonly settler: { readonly openCount: number };
  readonly replies: { readonly takenBytes: number; readonly bytes: number };
}

export function workerGauges(metrics: Metrics, { tickets, relay, settler, replies }: GaugeSources): void {
  metrics.gauge('gateway_worker_running_tickets', 'Tickets of live keys that are running', ['vendor'], (gauge) => {
    for (const { vendor, active } of tickets.loadByVendor) gauge.set({ vendor }, active);
  });
  metrics.gauge(
    'gateway_worker_waiting_tickets',
    'Tickets that wait in this worker for a slot',
    ['vendor'],
    (gauge) => {
      for (const { vendor, waiting } of tickets.loadByVendor) gauge.set({ vendor }, waiting);
    },
  );
  metrics.gauge('gateway_worker_running_test_tickets', 'Tickets of test keys that are running', [], (gauge) =>
    gauge.set(tickets.activeTests),
  );
  metrics.gauge('gateway_relay_edges', 'Edges that this worker is connected to', [], (gauge) =>
    gauge.set(relay.edgeCount),
  );
  metrics.gauge('gateway_settlements_open', 'Settlements of this process that Redis has not confirmed', [], (gauge) =>
    gauge.set(settler.openCount),
  );
  metrics.gauge(
    'gateway_reply_bytes',
    'Bytes of long replies that this worker keeps until their clients have them',
    [],
    (gauge) => gauge.set(replies.takenBytes),
  );
  metrics.gauge('gateway_reply_room_bytes', 'Room of this worker for long replies', [], (gauge) =>
    gauge.set(replies.bytes),
  );
}
