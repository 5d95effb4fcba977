import type { BillingConfig } from '@gateway/config';
import type { Logger, Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccountSettingsController } from './account-interface/accounts/account-settings.controller.js';
import { AccountsController } from './account-interface/accounts/accounts.controller.js';
import { AdminAccountsController } from './account-interface/accounts/admin-accounts.controller.js';
import { PasswordController } from './account-interface/accounts/password.controller.js';
import { AuditController } from './account-interface/audit/audit.controller.js';
import { AuditInterceptor } from './account-interface/audit/audit.interceptor.js';
import { BalanceReader } from './account-interface/balance-reader.service.js';
import { KeysController } from './account-interface/keys/keys.controller.js';
import { PriceOverridesController } from './account-interface/prices/price-overrides.controller.js';
import { FindDraft } from './account-interface/quotes/find-draft.service.js';
import { MakeQuote } from './account-interface/quotes/make-quote.service.js';
import { QuotesController } from './account-interface/quotes/quotes.controller.js';
import { BalanceController } from './account-interface/statements/balance.controller.js';
import { FindReceipt } from './account-interface/statements/find-receipt.service.js';
import { LedgerController } from './account-interface/statements/ledger.controller.js';
import { ReceiptsController } from './account-interface/statements/receipts.controller.js';
import { UsageController } from './account-interface/statements/usage.controller.js';
import { AdminWebhookDeliveriesController } from './account-interface/webhooks/admin-webhook-deliveries.controller.js';
import { EventsController } from './account-interface/webhooks/events.controller.js';
import { ReplayDeliveries } from './account-interface/webhooks/replay-deliveries.service.js';
import { ResealSecrets } from './account-interface/webhooks/reseal-secrets.service.js';
import { WebhookDeliveriesController } from './account-interface/webhooks/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './account-interface/webhooks/webhook-endpoints.controller.js';
import { WebhookSecretController } from './account-interface/webhooks/webhook-secret.controller.js';
import { ActiveAccountInterceptor } from './guards/active-account.interceptor.js';
import { AdminGuard } from './guards/admin.guard.js';
import { EdgeGuard } from './guards/edge.guard.js';
import { KeyGuard } from './guards/key.guard.js';
import { MachineTokens } from './guards/machine-tokens.service.js';
import { SessionGuard } from './guards/session.guard.js';
import { ErrorFilter } from './http/error.filter.js';
import { KeyCacheInvalidator } from './key-cache-invalidator.service.js';
import { CreditAccount } from './ledger/credits/credit-account.service.js';
import { CreditsController } from './ledger/credits/credits.controller.js';
import { RefundRepeatedCharges } from './ledger/credits/refund-repeated-charges.service.js';
import { ReserveMirror } from './ledger/credits/reserve-mirror.service.js';
import { ReversalsController } from './ledger/credits/reversals.controller.js';
import { FollowEpoch } from './ledger/epoch/follow-epoch.service.js';
import { DeliverGrants } from './ledger/escrow/deliver-grants.service.js';
import { EscrowController } from './ledger/escrow/escrow.controller.js';
import { GrantEscrow } from './ledger/escrow/grant-escrow.service.js';
import { ReturnIdleEscrow } from './ledger/escrow/return-idle-escrow.service.js';
import { AdoptTaskHolds } from './ledger/reconciliation/adopt-task-holds.service.js';
import { Reconcile } from './ledger/reconciliation/reconcile.service.js';
import { ReconciliationController } from './ledger/reconciliation/reconciliation.controller.js';
import { ReconciliationReporter } from './ledger/reconciliation/reconciliation-reporter.service.js';
import { SweepExpiredHolds } from './ledger/reconciliation/sweep-expired-holds.service.js';
import { ConsumeUsage } from './ledger/settlement/consume-usage.service.js';
import { RecordBatch } from './ledger/settlement/record-batch.service.js';
import { billingMetrics } from './observability/billing-metrics.js';
import type { BillingResources } from './resources.js';
import { AttemptLimiter } from './sessions/attempt-limiter.service.js';
import { KnownNetworks } from './sessions/known-networks.service.js';
import { RemoveExpired } from './sessions/remove-expired.service.js';
import { Sessions } from './sessions/sessions.service.js';
import * as tokens from './tokens.js';

/** The routes for people and administrators. None of them writes the ledger. */
const ACCOUNT_INTERFACE_CONTROLLERS: readonly Type[] = [
  AccountsController,
  AccountSettingsController,
  PasswordController,
  AdminAccountsController,
  KeysController,
  BalanceController,
  LedgerController,
  UsageController,
  ReceiptsController,
  PriceOverridesController,
  QuotesController,
  WebhookEndpointsController,
  WebhookDeliveriesController,
  WebhookSecretController,
  AdminWebhookDeliveriesController,
  EventsController,
  AuditController,
];

/** The routes that write the ledger, for edges and administrators. */
const LEDGER_CONTROLLERS: readonly Type[] = [
  EscrowController,
  CreditsController,
  ReversalsController,
  ReconciliationController,
];

export const CONTROLLERS: readonly Type[] = [...ACCOUNT_INTERFACE_CONTROLLERS, ...LEDGER_CONTROLLERS];

const ACCOUNT_INTERFACE_SERVICES = [BalanceReader, FindDraft, MakeQuote, FindReceipt, ReplayDeliveries];
const LEDGER_SERVICES = [
  GrantEscrow,
  ReserveMirror,
  CreditAccount,
  RecordBatch,
  AdoptTaskHolds,
  ReconciliationReporter,
];
const SHARED_SERVICES = [Sessions, AttemptLimiter, KnownNetworks, MachineTokens, ErrorFilter];
const GUARDS = [AdminGuard, EdgeGuard, SessionGuard, KeyGuard, ActiveAccountInterceptor];

/** The services that run a loop. `startBilling` stops them before the connections close. */
export const BACKGROUND_SERVICES = [
  ConsumeUsage,
  SweepExpiredHolds,
  Reconcile,
  RefundRepeatedCharges,
  DeliverGrants,
  ReturnIdleEscrow,
  KeyCacheInvalidator,
  RemoveExpired,
  ResealSecrets,
  FollowEpoch,
];

export interface BillingSetup {
  readonly config: BillingConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: BillingResources;
  readonly health: DynamicModule;
}

@Module({})
class AppModule {}

/** The app: the account interface, the ledger, and their shared services. */
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
    { provide: tokens.USAGE_LENGTHS, useValue: resources.usageLengths },
    { provide: tokens.KEY_CACHE, useValue: resources.keyCache },
    { provide: tokens.CONSUMER_NAME, useValue: resources.consumerName },
  ];
  return {
    module: AppModule,
    imports: [health],
    controllers: [...CONTROLLERS],
    providers: [
      ...values,
      ...SHARED_SERVICES,
      ...GUARDS,
      ...ACCOUNT_INTERFACE_SERVICES,
      ...LEDGER_SERVICES,
      ...BACKGROUND_SERVICES,
      { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
    ],
  };
};
