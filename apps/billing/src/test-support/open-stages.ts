import { createLogger, createMetrics } from '@gateway/observability';
import { KeyCacheInvalidator } from '@gateway/redis';
import { BalanceReader } from '../../../accounts/src/balance-reader.service.js';
import { FollowEpoch } from '../epoch/follow-epoch.service.js';
import { DeliverGrants } from '../escrow/deliver-grants.service.js';
import { GrantEscrow } from '../escrow/grant-escrow.service.js';
import { ReturnIdleEscrow } from '../escrow/return-idle-escrow.service.js';
import { billingMetrics } from '../observability/billing-metrics.js';
import { AdoptTaskHolds } from '../reconciliation/adopt-task-holds.service.js';
import { Reconcile } from '../reconciliation/reconcile.service.js';
import { ReconciliationReporter } from '../reconciliation/reconciliation-reporter.service.js';
import { SweepExpiredHolds } from '../reconciliation/sweep-expired-holds.service.js';
import type { BillingResources } from '../resources.js';
import { AnnounceBooked } from '../settlement/announce-booked.service.js';
import { ConsumeUsage } from '../settlement/consume-usage.service.js';
import { RecordBatch } from '../settlement/record-batch.service.js';

/** The services of one billing process without their loops: the test calls each round. */
export function openStages(resources: BillingResources) {
  const { database, admissionStore, redis, usageStream, usageLengths, keyCache, keys, consumerName } = resources;
  const silent = createLogger({ service: 'billing', level: 'silent' });
  const counted = createMetrics('billing');
  const metrics = billingMetrics(counted);
  const deliverGrants = new DeliverGrants(database, admissionStore, silent);
  const returnIdleEscrow = new ReturnIdleEscrow(database, admissionStore, metrics, silent, { escrowIdleMs: 900_000 });
  const adoptTaskHolds = new AdoptTaskHolds(database, metrics, silent, new KeyCacheInvalidator(keyCache, silent));
  const recordBatch = new RecordBatch(
    database,
    admissionStore,
    metrics,
    silent,
    new AnnounceBooked(redis, keys, silent),
  );
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
