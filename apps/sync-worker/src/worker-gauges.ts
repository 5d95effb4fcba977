import type { Metrics } from '@gateway/observability';

/** What of this worker is looked at when somebody asks for its metrics. */
export interface WorkerInside {
  readonly tickets: { readonly activeByVendor: Iterable<readonly [vendor: string, active: number]> };
  readonly relay: { readonly edgeCount: number };
  readonly settler: { readonly openCount: number };
}

/** Gauges are read at each scrape. */
export function workerGauges(metrics: Metrics, { tickets, relay, settler }: WorkerInside): void {
  metrics.gauge('gateway_worker_running_tickets', 'Tickets in hand', ['vendor'], (gauge) => {
    for (const [vendor, active] of tickets.activeByVendor) gauge.set({ vendor }, active);
  });
  metrics.gauge('gateway_relay_edges', 'Edges that this worker is connected to', [], (gauge) =>
    gauge.set(relay.edgeCount),
  );
  metrics.gauge('gateway_settlements_open', 'Settlements of this process that Redis has not taken', [], (gauge) =>
    gauge.set(settler.openCount),
  );
}
