import type { AccountsConfig } from '@gateway/config';
import { MachineToken } from '@gateway/json-service';
import type { Logger, Metrics } from '@gateway/observability';
import { mailDelayMs } from '@gateway/postgres';
import { BookedRequestsFeed, ChannelBoard, KeyCacheInvalidator, RecentRefusals } from '@gateway/redis';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccountSettingsController } from './accounts/account-settings.controller.js';
import { AdminAccountsController } from './accounts/admin-accounts.controller.js';
import { AccountViewsController } from './administrators/account-views.controller.js';
import { AdministratorsController } from './administrators/administrators.controller.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { operatorMetrics } from './alerts/operator-metrics.js';
import { operatorNumbers } from './alerts/operator-numbers.js';
import { ReadFacts } from './alerts/read-facts.service.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditInterceptor } from './audit/audit.interceptor.js';
import { BacklogController } from './backlog/backlog.controller.js';
import { BalanceReader } from './balance-reader.service.js';
import { ChannelControls } from './channels/channel-control.service.js';
import { ChannelsController } from './channels/channels.controller.js';
import { ContentsController } from './contents/contents.controller.js';
import { ResealContentKeys } from './contents/reseal-content-keys.service.js';
import { FindingsController } from './findings/findings.controller.js';
import { ReadFindings } from './findings/read-findings.service.js';
import { AccountReadGuard } from './guards/account-read.guard.js';
import { ActiveAccountInterceptor } from './guards/active-account.interceptor.js';
import { AdminGuard } from './guards/admin.guard.js';
import { KeyGuard } from './guards/key.guard.js';
import { PersonGuard } from './guards/person.guard.js';
import { SessionGuard } from './guards/session.guard.js';
import { AskBilling } from './http/ask-billing.service.js';
import { FollowAnswers } from './http/follow-answers.interceptor.js';
import { OpenStreams } from './http/open-streams.service.js';
import { RefuseUnknownQuery } from './http/refuse-unknown-query.interceptor.js';
import { streamMetrics } from './http/stream-metrics.js';
import { TakeTurns } from './http/take-turns.interceptor.js';
import { ChildKeysController } from './keys/child-keys.controller.js';
import { KeyOwners } from './keys/key-owners.service.js';
import { KeysController } from './keys/keys.controller.js';
import { MakeChild } from './keys/make-child.service.js';
import { AccountStreamController } from './live/account-stream.controller.js';
import { ReadNews } from './live/read-news.service.js';
import { WriteNews } from './live/write-news.service.js';
import { mailMetrics } from './mail/mail-metrics.js';
import { SendMails } from './mail/send-mails.service.js';
import { MarginController } from './margin/margin.controller.js';
import { BatchesController } from './media/batches.controller.js';
import { FileLinks } from './media/file-links.service.js';
import { FilesController } from './media/files.controller.js';
import { KeptRequestsController } from './media/kept-requests.controller.js';
import { ModelPace } from './media/model-pace.service.js';
import { PollNow } from './media/poll-now.service.js';
import { TasksController } from './media/tasks.controller.js';
import { ModelHealthController } from './models/model-health.controller.js';
import { ModelsController } from './models/models.controller.js';
import { CreditsController } from './money/credits.controller.js';
import { ReconciliationController } from './money/reconciliation.controller.js';
import { ReversalsController } from './money/reversals.controller.js';
import { FindStatement } from './monthly-statements/find-statement.service.js';
import { StatementsController } from './monthly-statements/statements.controller.js';
import { InvitationsController } from './organisations/invitations.controller.js';
import { MembersController } from './organisations/members.controller.js';
import { OrganisationsController } from './organisations/organisations.controller.js';
import { AddressesController } from './people/addresses.controller.js';
import { BeginSession } from './people/begin-session.service.js';
import { JoiningController } from './people/joining.controller.js';
import { LoginController } from './people/login.controller.js';
import { LogoutController } from './people/logout.controller.js';
import { PasswordController } from './people/password.controller.js';
import { PasswordResetsController } from './people/password-resets.controller.js';
import { PersonController } from './people/person.controller.js';
import { PersonMails } from './people/person-mails.service.js';
import { RegistrationController } from './people/registration.controller.js';
import { PriceOverridesController } from './prices/price-overrides.controller.js';
import { FindDraft } from './quotes/find-draft.service.js';
import { FindHistory } from './quotes/find-history.service.js';
import { MakeQuote } from './quotes/make-quote.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { ReadKeyRoom } from './quotes/read-key-room.service.js';
import type { AccountsResources } from './resources.js';
import { Administrators } from './sessions/administrators.service.js';
import { AttemptLimiter } from './sessions/attempt-limiter.service.js';
import { KnownNetworks } from './sessions/known-networks.service.js';
import { RemoveExpired } from './sessions/remove-expired.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { Sessions } from './sessions/sessions.service.js';
import { BalanceController } from './statements/balance.controller.js';
import { FindReceipt } from './statements/find-receipt.service.js';
import { LedgerController } from './statements/ledger.controller.js';
import { ReceiptsController } from './statements/receipts.controller.js';
import { RefusalsController } from './statements/refusals.controller.js';
import { RequestsController } from './statements/requests.controller.js';
import { UsageController } from './statements/usage.controller.js';
import { UsageRepricedController } from './statements/usage-repriced.controller.js';
import { StorageController } from './storage/storage.controller.js';
import { SystemController } from './system/system.controller.js';
import * as tokens from './tokens.js';
import { ReadBill } from './vendor-bills/read-bill.service.js';
import { VendorBillsController } from './vendor-bills/vendor-bills.controller.js';
import { AdminWebhookDeliveriesController } from './webhooks/admin-webhook-deliveries.controller.js';
import { AdminWebhookEndpointsController } from './webhooks/admin-webhook-endpoints.controller.js';
import { EventsController } from './webhooks/events.controller.js';
import { ReplayDeliveries } from './webhooks/replay-deliveries.service.js';
import { ResealSecrets } from './webhooks/reseal-secrets.service.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { WebhookSecretController } from './webhooks/webhook-secret.controller.js';

/** The routes for people, keys and administrators. */
export const CONTROLLERS: readonly Type[] = [
  RegistrationController,
  LoginController,
  LogoutController,
  PersonController,
  PasswordController,
  PasswordResetsController,
  AddressesController,
  JoiningController,
  SessionsController,
  OrganisationsController,
  MembersController,
  InvitationsController,
  AccountSettingsController,
  StorageController,
  AdminAccountsController,
  KeysController,
  ModelsController,
  ModelHealthController,
  ChildKeysController,
  BalanceController,
  LedgerController,
  UsageController,
  UsageRepricedController,
  RefusalsController,
  StatementsController,
  RequestsController,
  ReceiptsController,
  ContentsController,
  PriceOverridesController,
  QuotesController,
  TasksController,
  FilesController,
  BatchesController,
  KeptRequestsController,
  WebhookEndpointsController,
  WebhookDeliveriesController,
  WebhookSecretController,
  AdminWebhookDeliveriesController,
  EventsController,
  AccountStreamController,
  AuditController,
  CreditsController,
  ReversalsController,
  ReconciliationController,
  MarginController,
  ChannelsController,
  AdministratorsController,
  AccountViewsController,
  VendorBillsController,
  BacklogController,
  AdminWebhookEndpointsController,
  FindingsController,
  AlertsController,
  SystemController,
];

const SERVICES = [
  BeginSession,
  PersonMails,
  KeyOwners,
  BalanceReader,
  FindDraft,
  FindHistory,
  ReadKeyRoom,
  MakeQuote,
  FindReceipt,
  ReplayDeliveries,
  AskBilling,
  ReadBill,
  ReadFacts,
  ReadFindings,
  ReadNews,
  WriteNews,
  FindStatement,
  MakeChild,
  FileLinks,
  ModelPace,
  PollNow,
];
const SHARED_SERVICES = [OpenStreams, Sessions, Administrators, AttemptLimiter, KnownNetworks];
const GUARDS = [
  AdminGuard,
  PersonGuard,
  SessionGuard,
  KeyGuard,
  AccountReadGuard,
  ActiveAccountInterceptor,
  FollowAnswers,
];

/** The services that run a loop. `startAccounts` stops them before the connections close. */
const LOOPS = [RemoveExpired, ResealSecrets, ResealContentKeys, SendMails, ChannelControls];
export const BACKGROUND_SERVICES = [...LOOPS, KeyCacheInvalidator, OpenStreams];

export interface AccountsSetup {
  readonly config: AccountsConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resources: AccountsResources;
  readonly health: DynamicModule;
}

@Module({})
class AppModule {}

/** The app: everything that people touch. It reads the ledger, and asks billing to write it. */
export const appModule = ({ config, logger, metrics, resources, health }: AccountsSetup): DynamicModule => {
  operatorMetrics(metrics, operatorNumbers(resources.database));
  const values: Provider[] = [
    { provide: tokens.ACCOUNTS_CONFIG, useValue: config },
    { provide: tokens.LOGGER, useValue: logger },
    { provide: tokens.DATABASE, useValue: resources.database },
    { provide: tokens.REDIS, useValue: resources.redis },
    { provide: tokens.QUEUE_REDIS, useValue: resources.queueRedis },
    { provide: tokens.REDIS_KEYS, useValue: resources.keys },
    { provide: tokens.MAIL_METRICS, useValue: mailMetrics(metrics, () => mailDelayMs(resources.database)) },
    { provide: tokens.STREAM_METRICS, useValue: streamMetrics(metrics) },
    { provide: tokens.ADMISSION_STORE, useValue: resources.admissionStore },
    { provide: tokens.HTTP_POOLS, useValue: resources.pools },
    { provide: tokens.ADMIN_TOKEN, useValue: new MachineToken([config.adminToken]) },
    { provide: BookedRequestsFeed, useValue: resources.bookedRequests },
    { provide: tokens.QUEUE_READER, useValue: resources.queues },
    { provide: RecentRefusals, useValue: new RecentRefusals(resources.queueRedis, resources.keys) },
    { provide: ChannelBoard, useValue: new ChannelBoard(resources.queueRedis, resources.keys) },
    { provide: KeyCacheInvalidator, useValue: new KeyCacheInvalidator(resources.keyCache, logger) },
  ];
  return {
    module: AppModule,
    imports: [health],
    controllers: [...CONTROLLERS],
    providers: [
      ...values,
      ...SHARED_SERVICES,
      ...GUARDS,
      ...SERVICES,
      ...LOOPS,
      // The first one: who waits for a turn does nothing meanwhile.
      { provide: APP_INTERCEPTOR, useClass: TakeTurns },
      { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
      { provide: APP_INTERCEPTOR, useClass: RefuseUnknownQuery },
    ],
  };
};
