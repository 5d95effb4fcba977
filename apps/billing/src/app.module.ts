import type { BillingConfig } from '@gateway/config';
import type { Logger, Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccountSettingsController } from './accounts/account-settings.controller.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AdminAccountsController } from './accounts/admin-accounts.controller.js';
import { PasswordController } from './accounts/password.controller.js';
import { RemoveExpired } from './accounts/remove-expired.service.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditInterceptor } from './audit/audit.interceptor.js';
import { BILLING_CONFIG } from './billing-config.js';
import * as doorTokens from './billing-doors.js';
import { billingMetrics, METRICS } from './billing-metrics.js';
import { DeliverGrants } from './escrow/deliver-grants.service.js';
import { EscrowController } from './escrow/escrow.controller.js';
import { GrantEscrow } from './escrow/grant-escrow.service.js';
import { ReturnBlocks } from './escrow/return-blocks.service.js';
import { ForgetKeys } from './forget-keys.service.js';
import { KeysController } from './keys/keys.controller.js';
import { BalanceController } from './ledger/balance.controller.js';
import { CreditAccount } from './ledger/credit-account.service.js';
import { CreditsController } from './ledger/credits.controller.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { ReversalsController } from './ledger/reversals.controller.js';
import { ShowReserve } from './ledger/show-reserve.service.js';
import { LimitAttempts } from './limit-attempts.service.js';
import { LOGGER } from './observability-door.js';
import { PriceOverridesController } from './prices/price-overrides.controller.js';
import { FindDraft } from './quotes/find-draft.service.js';
import { MakeQuote } from './quotes/make-quote.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { ReadBalance } from './read-balance.service.js';
import { FollowEpoch } from './rebuild/follow-epoch.service.js';
import { AdoptTaskHolds } from './reconcile/adopt-task-holds.service.js';
import { Reconcile } from './reconcile/reconcile.service.js';
import { ReconciliationController } from './reconcile/reconciliation.controller.js';
import { SweepExpiredHolds } from './reconcile/sweep-expired-holds.service.js';
import { TellReconciliation } from './reconcile/tell-reconciliation.service.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { Sessions } from './sessions.service.js';
import { ConsumeUsage } from './settle/consume-usage.service.js';
import { RecordBatch } from './settle/record-batch.service.js';
import { FindReceipt } from './statements/find-receipt.service.js';
import { ReceiptsController } from './statements/receipts.controller.js';
import { UsageController } from './statements/usage.controller.js';
import { Tokens } from './tokens.service.js';
import { AdminWebhookDeliveriesController } from './webhooks/admin-webhook-deliveries.controller.js';
import { EventsController } from './webhooks/events.controller.js';
import { ReplayMany } from './webhooks/replay-many.service.js';
import { ResealSecrets } from './webhooks/reseal-secrets.service.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { WebhookSecretController } from './webhooks/webhook-secret.controller.js';

const CUSTOMER = [
  AccountsController,
  AccountSettingsController,
  PasswordController,
  KeysController,
  BalanceController,
  LedgerController,
  UsageController,
  ReceiptsController,
  WebhookEndpointsController,
  WebhookDeliveriesController,
  WebhookSecretController,
  EventsController,
  QuotesController,
  AuditController,
];
const ADMINISTRATOR = [
  AdminAccountsController,
  CreditsController,
  ReversalsController,
  PriceOverridesController,
  AdminWebhookDeliveriesController,
  ReconciliationController,
];
const MACHINE = [EscrowController];

const STAGES = [
  Tokens,
  Sessions,
  LimitAttempts,
  RemoveExpired,
  ResealSecrets,
  ReplayMany,
  ForgetKeys,
  DeliverGrants,
  ReturnBlocks,
  GrantEscrow,
  ShowReserve,
  CreditAccount,
  ReadBalance,
  FindDraft,
  MakeQuote,
  FindReceipt,
  RecordBatch,
  ConsumeUsage,
  FollowEpoch,
  SweepExpiredHolds,
  AdoptTaskHolds,
  TellReconciliation,
  Reconcile,
  RefuseFilter,
];

export interface BillingSetup {
  readonly config: BillingConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly doors: doorTokens.BillingDoors;
  readonly health: DynamicModule;
}

@Module({})
class AppModule {}

/** Billing: the account interface, the edge's escrow, and the work that goes on behind. */
export const appModule = ({ config, logger, metrics, doors, health }: BillingSetup): DynamicModule => {
  const given: Provider[] = [
    { provide: BILLING_CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: METRICS, useValue: billingMetrics(metrics) },
    { provide: doorTokens.DATABASE, useValue: doors.database },
    { provide: doorTokens.REDIS, useValue: doors.redis },
    { provide: doorTokens.REDIS_KEYS, useValue: doors.keys },
    { provide: doorTokens.ADMISSION_STORE, useValue: doors.admissionStore },
    { provide: doorTokens.USAGE_STREAM, useValue: doors.usageStream },
    { provide: doorTokens.USAGE_LENGTHS, useValue: doors.usageLengths },
    { provide: doorTokens.KEY_CACHE, useValue: doors.keyCache },
    { provide: doorTokens.CONSUMER_NAME, useValue: doors.consumerName },
  ];
  return {
    module: AppModule,
    imports: [health],
    controllers: [...CUSTOMER, ...ADMINISTRATOR, ...MACHINE],
    providers: [...given, ...STAGES, { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }],
  };
};
