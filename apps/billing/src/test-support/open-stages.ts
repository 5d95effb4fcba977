import { createLogger, createMetrics } from '@gateway/observability';
import { BalanceReader } from '../account-interface/balance-reader.service.js';
import { KeyCacheInvalidator } from '../key-cache-invalidator.service.js';
import { FollowEpoch } from '../ledger/epoch/follow-epoch.service.js';
import { DeliverGrants } from '../ledger/escrow/deliver-grants.service.js';
import { GrantEscrow } from '../ledger/escrow/grant-escrow.service.js';
import { ReturnIdleEscrow } from '../ledger/escrow/return-idle-escrow.service.js';
import { AdoptTaskHolds } from '../ledger/reconciliation/adopt-task-holds.service.js';
import { Reconcile } from '../ledger/reconciliation/reconcile.service.js';
import { ReconciliationReporter } from '../ledger/reconciliation/reconciliation-reporter.service.js';
import { SweepExpiredHolds } from '../ledger/reconciliation/sweep-expired-holds.service.js';
import { ConsumeUsage } from '../ledger/settlement/consume-usage.service.js';
import { RecordBatch } from '../ledger/settlement/record-batch.service.js';
import { billingMetrics } from '../observability/billing-metrics.js';
import type { BillingResources } from '../resources.js';

/** The services of one billing process without their loops: the test calls each round. */
export function openStages(resources: BillingResources) {
  const { database, admissionStore, redis, usageStream, usageLengths, keyCache, consumerName } = resources;
  const silent = createLogger({ service: 'billing', level: 'silent' });
  const counted = createMetrics('billing');
  const metrics = billingMetrics(counted);
  const deliverGrants = new DeliverGrants(database, admissionStore, silent);
  const returnIdleEscrow = new ReturnIdleEscrow(database, admissionStore, metrics, silent, { escrowIdleMs: 900_000 });
  const adoptTaskHolds = new AdoptTaskHolds(database, metrics, silent, new KeyCacheInvalidator(keyCache, silent));
  const recordBatch = new RecordBatch(database, admissionStore, metrics, silent);
  return {
    registry: counted.registry,
    deliverGrants,
    returnIdleEscrow,
    grantEscrow: new GrantEscrow(database, metrics, deliverGrants, returnIdleEscrow),
    followEpoch: new FollowEpoch(database, admissionStore, redis, metrics, silent),
    recordBatch,
    consumeUsage: new ConsumeUsage(usageStream, admissionStore, consumerName, metrics, silent, recordBatch),
    sweep: new SweepExpiredHolds(admissionStore, metrics, silent),
    adoptTaskHolds,
    reconcile: new Reconcile(
      database,
      admissionStore,
      usageLengths,
      new ReconciliationReporter(metrics, silent),
      adoptTaskHolds,
    ),
    balanceReader: new BalanceReader(database, admissionStore),
  };
}
