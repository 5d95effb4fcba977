import type { Metrics } from '@gateway/observability';

/** What billing counts, by names that dashboards and alerts rely on. */
export function billingMetrics(metrics: Metrics) {
  return {
    orphanHolds: metrics.gauge('orphan_holds', 'Holds past their expiry that nobody has ended', []),
    unsettledEvents: metrics.gauge('unsettled_events', 'Usage events that the ledger does not have yet', []),
    driftNanoUsd: metrics.gauge('drift_nano_usd', 'Lasting difference between the ledger and Redis', []),
    taskHoldDriftNanoUsd: metrics.gauge(
      'task_hold_drift_nano_usd',
      'Difference between what the ledger keeps for tasks and what open tasks hold',
      [],
    ),
    unbookedTaskHolds: metrics.gauge('unbooked_task_holds', 'Open tasks whose hold the ledger does not have', []),
    tasksWithoutReceipt: metrics.gauge('tasks_without_receipt', 'Tasks that ended and were not settled', []),
    adoptedTaskHolds: metrics.counter(
      'gateway_adopted_task_holds_total',
      'Holds of tasks that were lost with a Redis and taken from the customer',
      [],
    ),
    ledgerImbalanceNanoUsd: metrics.gauge('ledger_imbalance_nano_usd', 'Sum of all ledger balances', []),
    parkedEvents: metrics.gauge('parked_usage_events', 'Usage events that nobody could book', []),
    settlements: metrics.counter('gateway_settlements_total', 'Usage events by what became of them', ['result']),
    grants: metrics.counter('gateway_escrow_grants_total', 'Requests for escrow by their outcome', ['outcome']),
    returns: metrics.counter(
      'gateway_escrow_returns_total',
      'Looks at escrow that nobody uses: what was spendable went back, or nothing was',
      ['outcome'],
    ),
    returnedNanoUsd: metrics.counter('gateway_escrow_returned_nano_usd_total', 'Unused escrow given back', []),
    escrowNanoUsd: metrics.gauge('gateway_escrow_nano_usd', 'What Redis may spend for all customers together', []),
    expiredHolds: metrics.counter('gateway_expired_holds_total', 'Orphaned holds that were ended', []),
    rebuilds: metrics.counter('gateway_redis_rebuilds_total', 'Times the ledger followed Redis into a new life', []),
    repairs: metrics.counter('gateway_drift_repairs_total', 'Escrow accounts that were made what Redis holds', []),
    batchSeconds: metrics.histogram('gateway_settlement_batch_seconds', 'From a batch read to it acknowledged', []),
  };
}

export type BillingMetrics = ReturnType<typeof billingMetrics>;
