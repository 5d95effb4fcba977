import { upcomingRetirements } from '@gateway/catalogue';
import type { Metrics } from '@gateway/observability';
import { type MeasuredQueues, QueueCounter } from './queue-counter.js';

type BodyPlace = 'memory' | 'disk';
const BODY_PLACES: readonly BodyPlace[] = ['memory', 'disk'];

/** The values that each scrape reads. */
export interface EdgeGaugeSources {
  readonly queues: MeasuredQueues;
  readonly running: { readonly count: number };
  readonly relay: { readonly workerCount: number };
  readonly settler: { readonly openCount: number };
  readonly bodies: { usedBytes(place: BodyPlace): number; readonly limits: Readonly<Record<BodyPlace, number>> };
  readonly sockets: {
    readonly openCount: number;
    readonly limit: number;
    readonly histories: { readonly usedBytes: number; readonly limitBytes: number };
  };
  readonly waits: { readonly openCount: number; readonly limit: number };
}

/** Registers the gauges. All edges report the same queues, so dashboards take the maximum, not the sum. */
export function edgeGauges(metrics: Metrics, sources: EdgeGaugeSources): void {
  const { queues, running, relay, settler, bodies, sockets, waits } = sources;
  const counter = new QueueCounter(queues);
  metrics.gauge('gateway_running_requests', 'Running requests of this edge', [], (gauge) => gauge.set(running.count));
  metrics.gauge('gateway_relay_workers', 'Workers connected to this edge', [], (gauge) => gauge.set(relay.workerCount));
  metrics.gauge('gateway_settlements_open', 'Settlements of this process that Redis has not stored yet', [], (gauge) =>
    gauge.set(settler.openCount),
  );
  metrics.gauge('gateway_body_bytes', 'Bytes of request bodies that this edge keeps', ['place'], (gauge) => {
    for (const place of BODY_PLACES) gauge.set({ place }, bodies.usedBytes(place));
  });
  metrics.gauge('gateway_body_room_bytes', 'Room of this edge for request bodies', ['place'], (gauge) => {
    for (const place of BODY_PLACES) gauge.set({ place }, bodies.limits[place]);
  });
  metrics.gauge('gateway_sockets', 'Open WebSockets of responses at this edge', [], (gauge) =>
    gauge.set(sockets.openCount),
  );
  metrics.gauge('gateway_sockets_limit', 'WebSockets that this edge opens at most', [], (gauge) =>
    gauge.set(sockets.limit),
  );
  metrics.gauge(
    'gateway_open_waits',
    'Clients that wait for tasks or requests, or read their events, at this edge',
    [],
    (gauge) => gauge.set(waits.openCount),
  );
  metrics.gauge('gateway_open_waits_limit', 'Clients that may wait at this edge', [], (gauge) =>
    gauge.set(waits.limit),
  );
  metrics.gauge('gateway_socket_history_bytes', 'Bytes of conversations that open sockets remember', [], (gauge) =>
    gauge.set(sockets.histories.usedBytes),
  );
  metrics.gauge('gateway_socket_history_room_bytes', 'Room of this edge for what sockets remember', [], (gauge) =>
    gauge.set(sockets.histories.limitBytes),
  );
  metrics.gauge(
    'gateway_model_retires_in_seconds',
    'Seconds until the vendor ends a model; below zero without a successor since then',
    ['model', 'replacement'],
    (gauge) => {
      gauge.reset();
      for (const { model, replacement, leftMs } of upcomingRetirements(Date.now()))
        gauge.set({ model: model.id, replacement: replacement ?? 'none' }, leftMs / 1_000);
    },
  );
  metrics.gauge(
    'gateway_queue_waiting_jobs',
    'Jobs (up to 8 tickets each) that no worker has fetched',
    ['kind', 'vendor'],
    (gauge) => counter.fill(gauge, ({ waiting }) => waiting),
  );
  metrics.gauge(
    'gateway_queue_active_jobs',
    'Jobs whose tickets wait in a worker for a slot, or are being claimed',
    ['kind', 'vendor'],
    (gauge) => counter.fill(gauge, ({ active }) => active),
  );
  metrics.gauge(
    'gateway_queue_oldest_wait_seconds',
    'Age of the oldest job that is not claimed',
    ['kind', 'vendor'],
    (gauge) => counter.fill(gauge, ({ oldestWaitMs }) => oldestWaitMs / 1_000),
  );
}
