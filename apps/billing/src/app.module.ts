import type { BillingConfig } from '@gateway/config';
import { MachineToken } from '@gateway/json-service';
import type { Logger, Metrics } from '@gateway/observability';
import { KeyCacheInvalidator } from '@gateway/redis';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { CreditAccount } from './credits/credit-account.service.js';
import { CreditsController } from './credits/credits.controller.js';
import { RefundRepeatedCharges } from './credits/refund-repeated-charges.service.js';
import { ReversalsController } from './credits/reversals.controller.js';
import { CloseFormerSlot } from './epoch/close-former-slot.service.js';
import { FollowEpoch } from './epoch/follow-epoch.service.js';
import { CloseChildren } from './escrow/close-children.service.js';
import { DeliverGrants } from './escrow/deliver-grants.service.js';
import { EscrowController } from './escrow/escrow.controller.js';
import { GrantEscrow } from './escrow/grant-escrow.service.js';
import { ReturnIdleEscrow } from './escrow/return-idle-escrow.service.js';
import { FormerSlot, openFormerSlot } from './former-slot.js';
import { AccountsGuard } from './guards/accounts.guard.js';
import { EdgeGuard } from './guards/edge.guard.js';
import { KeepSums } from './months/keep-sums.service.js';
import { MakeMonths } from './months/make-months.service.js';
import { type BillingMetrics, billingMetrics } from './observability/billing-metrics.js';
import { AdoptTaskHolds } from './reconciliation/adopt-task-holds.service.js';
import { Reconcile } from './reconciliation/reconcile.service.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { ReconciliationReporter } from './reconciliation/reconciliation-reporter.service.js';
import { SweepExpiredHolds } from './reconciliation/sweep-expired-holds.service.js';
import { ReserveMirror } from './reserve-mirror.service.js';
import type { BillingResources } from './resources.js';
import { AnnounceBooked } from './settlement/announce-booked.service.js';
import { ConsumeUsage, type ShardsToRead } from './settlement/consume-usage.service.js';
import { RecordBatch } from './settlement/record-batch.service.js';
import { HoldShards } from './shards/hold-shards.service.js';
import * as tokens from './tokens.js';

/** The routes that write the ledger. Only our own services reach them. */
export const CONTROLLERS: readonly Type[] = [
  EscrowController,
  CreditsController,
  ReversalsController,
  ReconciliationController,
];

const SERVICES = [
  GrantEscrow,
  ReserveMirror,
  CreditAccount,
  AnnounceBooked,
  RecordBatch,
  AdoptTaskHolds,
  ReconciliationReporter,
  CloseFormerSlot,
];
const GUARDS = [EdgeGuard, AccountsGuard];

/** The services that run a loop. `startBilling` stops them before the connections close. */
const LOOPS = [
  HoldShards,
  ConsumeUsage,
  SweepExpiredHolds,
  Reconcile,
  RefundRepeatedCharges,
  DeliverGrants,
  ReturnIdleEscrow,
  CloseChildren,
  FollowEpoch,
  MakeMonths,
  KeepSums,
];
export const BACKGROUND_SERVICES = [...LOOPS, FormerSlot, KeyCacheInvalidator];

/** What the stages that work shard by shard know of the leases and the epochs. */
const SHARD_PORTS: readonly Provider[] = [
  {
    provide: tokens.SHARDS_TO_SWEEP,
    inject: [HoldShards],
    useFactory: (leases: HoldShards) => () => leases.held,
  },
  {
    provide: tokens.SHARDS_TO_READ,
    inject: [HoldShards, FollowEpoch],
    useFactory: (leases: HoldShards, epochs: FollowEpoch): ShardsToRead => ({
      consumer: leases.copy,
      held: () => leases.held,
      followed: () => epochs.followed,
      epochsNow: () => epochs.readNow(),
    }),
  },
];

const formerSlot = (resources: BillingResources, logger: Logger): Provider => ({
  provide: FormerSlot,
  inject: [tokens.METRICS, AnnounceBooked],
  useFactory: (metrics: BillingMetrics, announceBooked: AnnounceBooked) =>
    openFormerSlot(resources, { metrics, logger, announceBooked }),
});

export interface BillingSetup {
  readonly config: BillingConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: BillingResources;
  readonly health: DynamicModule;
}

@Module({})
class AppModule {}

/** The app: the ledger, and what our own services may ask of it. */
export const appModule = ({ config, logger, metrics, resources, health }: BillingSetup): DynamicModule => {
  const values: Provider[] = [
    { provide: tokens.BILLING_CONFIG, useValue: config },
    { provide: tokens.LOGGER, useValue: logger },
    { provide: tokens.METRICS, useValue: billingMetrics(metrics) },
    { provide: tokens.DATABASE, useValue: resources.database },
    { provide: tokens.REDIS, useValue: resources.redis },
    { provide: tokens.REDIS_KEYS, useValue: resources.keys },
    { provide: tokens.ADMISSION_STORE, useValue: resources.admissionStore },
    { provide: tokens.USAGE_STREAM, useValue: resources.usageStream },
    { provide: tokens.CONSUMER_NAME, useValue: resources.consumerName },
    { provide: tokens.EDGE_TOKEN, useValue: new MachineToken(config.internalTokens) },
    { provide: tokens.LEDGER_TOKEN, useValue: new MachineToken(config.ledgerTokens) },
    { provide: KeyCacheInvalidator, useValue: new KeyCacheInvalidator(resources.keyCache, logger) },
  ];
  return {
    module: AppModule,
    imports: [health],
    controllers: [...CONTROLLERS],
    providers: [...values, ...GUARDS, ...SERVICES, ...LOOPS, ...SHARD_PORTS, formerSlot(resources, logger)],
  };
};
