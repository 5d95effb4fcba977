import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What billing counts, by names that dashboards and alerts rely on. */
export function billingMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    orphanHolds: gauge('orphan_holds', 'Holds past their expiry that nobody has ended'),
    unsettledEvents: gauge('unsettled_events', 'Usage events that the ledger does not have yet'),
    driftNanoUsd: gauge('drift_nano_usd', 'Lasting difference between the escrow in the ledger and what Redis holds'),
    ledgerImbalanceNanoUsd: gauge('ledger_imbalance_nano_usd', 'Sum of all ledger balances'),
    parkedEvents: gauge('parked_usage_events', 'Usage events that nobody could book'),
    settlements: counter('gateway_settlements_total', 'Usage events by how the ledger took them', ['result']),
    grants: counter('gateway_escrow_grants_total', 'Requests for escrow by their outcome', ['outcome']),
    expiredHolds: counter('gateway_expired_holds_total', 'Orphaned holds that were ended', []),
    rebuilds: counter('gateway_redis_rebuilds_total', 'Times the ledger followed Redis into a new life', []),
    repairs: counter('gateway_drift_repairs_total', 'Escrow accounts that were made what Redis holds', []),
    batchSeconds: new Histogram({
      name: 'gateway_settlement_batch_seconds',
      help: 'From a batch read to a batch acknowledged',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
  };
}

export type BillingMetrics = ReturnType<typeof billingMetrics>;

/** Injection token of the metrics. */
export const METRICS = Symbol('BillingMetrics');
