import { createLogger, createMetrics } from '@gateway/observability';
import type { BillingDoors } from './billing-doors.js';
import { billingMetrics } from './billing-metrics.js';
import { DeliverGrants } from './escrow/deliver-grants.service.js';
import { GrantEscrow } from './escrow/grant-escrow.service.js';
import { ReturnBlocks } from './escrow/return-blocks.service.js';
import { ForgetKeys } from './forget-keys.service.js';
import { ReadBalance } from './read-balance.service.js';
import { FollowEpoch } from './rebuild/follow-epoch.service.js';
import { AdoptTaskHolds } from './reconcile/adopt-task-holds.service.js';
import { Reconcile } from './reconcile/reconcile.service.js';
import { SweepExpiredHolds } from './reconcile/sweep-expired-holds.service.js';
import { TellReconciliation } from './reconcile/tell-reconciliation.service.js';
import { ConsumeUsage } from './settle/consume-usage.service.js';
import { RecordBatch } from './settle/record-batch.service.js';

/** The stages of one billing process, without their timers: a test says when each does its round. */
export function stages(doors: BillingDoors) {
  const { database, admissionStore, redis, usageStream, usageLengths, keyCache, consumerName } = doors;
  const silent = createLogger({ service: 'billing', level: 'silent' });
  const counted = createMetrics('billing');
  const metrics = billingMetrics(counted);
  const deliverGrants = new DeliverGrants(database, admissionStore, silent);
  const returnBlocks = new ReturnBlocks(database, admissionStore, metrics, silent, { escrowIdleMs: 900_000 });
  const adoptTaskHolds = new AdoptTaskHolds(database, metrics, silent, new ForgetKeys(keyCache, silent));
  const recordBatch = new RecordBatch(database, admissionStore, metrics, silent);
  return {
    registry: counted.registry,
    deliverGrants,
    returnBlocks,
    grantEscrow: new GrantEscrow(database, metrics, deliverGrants, returnBlocks),
    followEpoch: new FollowEpoch(database, admissionStore, redis, metrics, silent),
    recordBatch,
    consumeUsage: new ConsumeUsage(usageStream, admissionStore, consumerName, metrics, silent, recordBatch),
    sweep: new SweepExpiredHolds(admissionStore, metrics, silent),
    adoptTaskHolds,
    reconcile: new Reconcile(
      database,
      admissionStore,
      usageLengths,
      new TellReconciliation(metrics, silent),
      adoptTaskHolds,
    ),
    readBalance: new ReadBalance(database, admissionStore),
  };
}
