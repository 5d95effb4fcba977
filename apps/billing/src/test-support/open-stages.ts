import { SHARDS } from '@gateway/contracts';
import { createLogger, createMetrics } from '@gateway/observability';
import { KeyCacheInvalidator } from '@gateway/redis';
import { BalanceReader } from '../../../accounts/src/balance-reader.service.js';
import { CloseFormerSlot } from '../epoch/close-former-slot.service.js';
import { FollowEpoch } from '../epoch/follow-epoch.service.js';
import { DeliverGrants } from '../escrow/deliver-grants.service.js';
import { GrantEscrow } from '../escrow/grant-escrow.service.js';
import { ReturnIdleEscrow } from '../escrow/return-idle-escrow.service.js';
import { openFormerSlot } from '../former-slot.js';
import { billingMetrics } from '../observability/billing-metrics.js';
import { AdoptTaskHolds } from '../reconciliation/adopt-task-holds.service.js';
import { Reconcile } from '../reconciliation/reconcile.service.js';
import { ReconciliationReporter } from '../reconciliation/reconciliation-reporter.service.js';
import { SweepExpiredHolds } from '../reconciliation/sweep-expired-holds.service.js';
import { ReserveMirror } from '../reserve-mirror.service.js';
import type { BillingResources } from '../resources.js';
import { AnnounceBooked } from '../settlement/announce-booked.service.js';
import { ConsumeUsage, type ShardsToRead } from '../settlement/consume-usage.service.js';
import { RecordBatch } from '../settlement/record-batch.service.js';

/** The services of one billing process without their loops: the test calls each round. */
export function openStages(resources: BillingResources) {
  const { database, admissionStore, redis, usageStream, keyCache, keys, consumerName } = resources;
  const silent = createLogger({ service: 'billing', level: 'silent' });
  const counted = createMetrics('billing');
  const metrics = billingMetrics(counted);
  const deliverGrants = new DeliverGrants(database, admissionStore, silent);
  const returnIdleEscrow = new ReturnIdleEscrow(database, admissionStore, metrics, silent, { escrowIdleMs: 900_000 });
  const adoptTaskHolds = new AdoptTaskHolds(database, metrics, silent, new KeyCacheInvalidator(keyCache, silent));
  const announceBooked = new AnnounceBooked(redis, keys, silent);
  const recordBatch = new RecordBatch(database, admissionStore, metrics, silent, announceBooked);
  const closeFormerSlot = new CloseFormerSlot(database, redis, keys, silent);
  const followEpoch = new FollowEpoch(database, admissionStore, redis, metrics, silent, closeFormerSlot);
  const shardsToRead: ShardsToRead = {
    consumer: consumerName,
    held: () => SHARDS,
    followed: () => followEpoch.followed,
    epochsNow: () => followEpoch.readNow(),
  };
  return {
    registry: counted.registry,
    deliverGrants,
    returnIdleEscrow,
    grantEscrow: new GrantEscrow(
      database,
      metrics,
      deliverGrants,
      returnIdleEscrow,
      new ReserveMirror(database, admissionStore, silent),
    ),
    followEpoch,
    formerSlot: openFormerSlot(resources, { metrics, logger: silent, announceBooked }),
    recordBatch,
    consumeUsage: new ConsumeUsage(usageStream, shardsToRead, metrics, silent, recordBatch),
    sweep: new SweepExpiredHolds(admissionStore, () => SHARDS, metrics, silent),
    adoptTaskHolds,
    reconcile: new Reconcile(database, admissionStore, new ReconciliationReporter(metrics, silent), adoptTaskHolds),
    balanceReader: new BalanceReader(database, admissionStore),
  };
}
