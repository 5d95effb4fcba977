import type { Metrics } from '@gateway/observability';

const monthMetrics = (metrics: Metrics) => ({
  monthsEnd: metrics.gauge(
    'gateway_months_end_timestamp_seconds',
    'When the last month ends that has partitions for receipts and ledger, in seconds since 1970',
    [],
  ),
  monthStrays: metrics.gauge(
    'gateway_rows_without_month',
    'Receipts and transactions in the default partition, because their month has no partition',
    [],
  ),
});

/** The metrics of billing. Dashboards and alerts use their names. */
export function billingMetrics(metrics: Metrics) {
  return {
    ...monthMetrics(metrics),
    orphanHolds: metrics.gauge('orphan_holds', 'Holds past their expiry that no sweep has released', []),
    unsettledEvents: metrics.gauge('unsettled_events', 'Usage events that are not in the ledger', []),
    driftNanoUsd: metrics.gauge(
      'drift_nano_usd',
      'Difference between the ledger and Redis that lasted three rounds',
      [],
    ),
    taskHoldDriftNanoUsd: metrics.gauge(
      'task_hold_drift_nano_usd',
      'Difference between the ledger account of task holds and the holds of open tasks',
      [],
    ),
    unbookedTaskHolds: metrics.gauge('unbooked_task_holds', 'Open tasks without a hold in the ledger', []),
    tasksWithoutReceipt: metrics.gauge('tasks_without_receipt', 'Tasks that ended without a settlement', []),
    adoptedTaskHolds: metrics.counter(
      'gateway_adopted_task_holds_total',
      'Task holds that were lost with Redis and taken from the customer again',
      [],
    ),
    closedChildKeys: metrics.counter(
      'gateway_closed_child_keys_total',
      'Child keys whose unspent budget was returned to the parent',
      [],
    ),
    shardsHeld: metrics.gauge('gateway_shards_held', 'Shards of the money that this process reads', []),
    shardsUnheld: metrics.gauge('gateway_shards_unheld', 'Shards of the money that no process reads', []),
    ledgerImbalanceNanoUsd: metrics.gauge('ledger_imbalance_nano_usd', 'Sum of all ledger balances', []),
    parkedEvents: metrics.gauge('parked_usage_events', 'Usage events that could not be parsed or recorded', []),
    settlements: metrics.counter('gateway_settlements_total', 'Usage events by result', ['result']),
    grants: metrics.counter('gateway_escrow_grants_total', 'Requests for escrow by outcome', ['outcome']),
    returns: metrics.counter(
      'gateway_escrow_returns_total',
      'Returns of idle escrow by outcome: an amount was returned, or nothing was left',
      ['outcome'],
    ),
    returnedNanoUsd: metrics.counter('gateway_escrow_returned_nano_usd_total', 'Idle escrow returned to customers', []),
    escrowNanoUsd: metrics.gauge(
      'gateway_escrow_nano_usd',
      'Escrow of all customers: the amount that Redis may spend',
      [],
    ),
    expiredHolds: metrics.counter('gateway_expired_holds_total', 'Expired holds that a sweep has released', []),
    rebuilds: metrics.counter(
      'gateway_redis_rebuilds_total',
      'Rebuilds: Redis lost its data and the ledger followed into a new epoch',
      [],
    ),
    repairs: metrics.counter('gateway_drift_repairs_total', 'Repairs of drift: escrow was set to what Redis holds', []),
    refundedCharges: metrics.counter(
      'gateway_repeated_charges_refunded_total',
      'Second charges of one idempotency key that were given back',
      [],
    ),
    batchSeconds: metrics.histogram(
      'gateway_settlement_batch_seconds',
      'Duration from the read of a batch to its acknowledgement',
      [],
    ),
  };
}

export type BillingMetrics = ReturnType<typeof billingMetrics>;
