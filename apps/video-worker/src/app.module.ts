import { MODELS } from '@gateway/catalogue';
import { ChannelFailover, openChannelFailover, VendorCosts } from '@gateway/channels';
import type { Vendor } from '@gateway/contracts';
import type { HttpPools } from '@gateway/http';
import { failpointsAt, type Logger, type Metrics, memoryLimitBytes, type Tracing } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BalanceCacheUpdater } from './completion/balance-cache-updater.service.js';
import { CompletionReporter } from './completion/completion-reporter.service.js';
import { FinishTask } from './completion/finish-task.service.js';
import { KeptResults } from './completion/kept-results.service.js';
import { type WorkerMetrics, workerMetrics } from './metrics.js';
import { AwaitChannel } from './polling/await-channel.service.js';
import { FetchThrottledStatus } from './polling/fetch-throttled-status.service.js';
import { FollowTask } from './polling/follow-task.service.js';
import { ObserveTasks } from './polling/observe-tasks.service.js';
import { PollConsumer } from './polling/poll-consumer.service.js';
import { PollScheduler } from './polling/poll-scheduler.service.js';
import { PollTask } from './polling/poll-task.service.js';
import { StopTask } from './polling/stop-task.service.js';
import { FindSubmission } from './recovery/find-submission.service.js';
import { RecoverSubmission } from './recovery/recover-submission.service.js';
import { SweepLoop } from './recovery/sweep-loop.service.js';
import { SweepTasks } from './recovery/sweep-tasks.service.js';
import type { WorkerResources } from './resources.js';
import { AcceptTask } from './submission/accept-task.service.js';
import { EndSubmission } from './submission/end-submission.service.js';
import { HoldMoney } from './submission/hold-money.service.js';
import { ReceiveSubmission } from './submission/in-thread/receive-submission.service.js';
import { MarkUnknown } from './submission/mark-unknown.service.js';
import { OpenTask } from './submission/open-task.service.js';
import { OrphanCanceller } from './submission/orphan-canceller.service.js';
import { RunSubmission } from './submission/run-submission.service.js';
import { StoreAcceptance } from './submission/store-acceptance.service.js';
import { SubmissionConsumer } from './submission/submission-consumer.service.js';
import { roomIn, SubmissionRoom } from './submission/submission-room.js';
import { SubmitTask } from './submission/submit-task.service.js';
import { SubmitUpstream } from './submission/submit-upstream.service.js';
import { ModelPace } from './task/model-pace.service.js';
import { PollJobs } from './task/poll-jobs.service.js';
import { TaskChangePublisher } from './task/task-change-publisher.service.js';
import { TaskChannels } from './task/task-channels.js';
import { TaskLease } from './task/task-lease.service.js';
import {
  FAILPOINTS,
  HTTP_POOLS,
  LOGGER,
  SUBMISSION_ROOM,
  TASK_POLLER,
  TRACING,
  WEBHOOK_METRICS,
  WORKER_CONFIG,
  WORKER_METRICS,
  type WorkerConfig,
} from './tokens.js';
import { CancelUpstream } from './upstream/cancel-upstream.service.js';
import { ChannelThrottle } from './upstream/channel-throttle.service.js';
import { FetchStatus } from './upstream/fetch-status.service.js';
import { UpstreamClient } from './upstream/upstream-client.service.js';
import { AttemptDelivery } from './webhooks/attempt-delivery.service.js';
import { CancelOrphanedDeliveries } from './webhooks/cancel-orphaned-deliveries.service.js';
import { DeliveryWorker } from './webhooks/delivery-worker.service.js';
import { ObserveWebhooks } from './webhooks/observe-webhooks.service.js';
import { RemoveExpiredEvents } from './webhooks/remove-expired-events.service.js';
import { TaskChangeSubscriber } from './webhooks/task-change-subscriber.service.js';
import { webhookMetrics } from './webhooks/webhook-metrics.js';
import { WebhookStage } from './webhooks/webhook-stage.service.js';
import { WebhookStore } from './webhooks/webhook-store.service.js';

const TASK: Provider[] = [TaskChannels, TaskChangePublisher, PollJobs, TaskLease, ModelPace];
const UPSTREAM: Provider[] = [UpstreamClient, ChannelThrottle, FetchStatus, CancelUpstream];
const COMPLETION: Provider[] = [BalanceCacheUpdater, CompletionReporter, KeptResults, FinishTask];
const SUBMISSION: Provider[] = [
  ReceiveSubmission,
  OpenTask,
  HoldMoney,
  SubmitUpstream,
  OrphanCanceller,
  AcceptTask,
  StoreAcceptance,
  MarkUnknown,
  EndSubmission,
  SubmitTask,
  RunSubmission,
  SubmissionConsumer,
];
const RECOVERY: Provider[] = [
  FindSubmission,
  RecoverSubmission,
  SweepTasks,
  SweepLoop,
  { provide: TASK_POLLER, useExisting: PollTask },
];
const POLLING: Provider[] = [
  FetchThrottledStatus,
  PollScheduler,
  StopTask,
  AwaitChannel,
  FollowTask,
  PollTask,
  PollConsumer,
  ObserveTasks,
];
const WEBHOOKS: Provider[] = [
  WebhookStore,
  AttemptDelivery,
  DeliveryWorker,
  TaskChangeSubscriber,
  ObserveWebhooks,
  RemoveExpiredEvents,
  CancelOrphanedDeliveries,
  WebhookStage,
];
const STAGE_PROVIDERS = [...TASK, ...UPSTREAM, ...COMPLETION, ...SUBMISSION, ...RECOVERY, ...POLLING, ...WEBHOOKS];

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: DynamicModule;
  readonly resources: WorkerResources;
}

/** The video worker: the providers of its stages, and the resources of its process. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, tracing, resources, health }: WorkerSetup): DynamicModule {
    const counters = workerMetrics(metrics);
    for (const vendor of config.vendors) initialiseCounters(counters, vendor);
    counters.unpricedUsage.inc({ protocol: '', field: '' }, 0);
    const providers: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TRACING, useValue: tracing },
      { provide: WEBHOOK_METRICS, useValue: webhookMetrics(metrics) },
      { provide: WORKER_METRICS, useValue: counters },
      { provide: VendorCosts, useValue: new VendorCosts(metrics, MODELS) },
      {
        provide: SUBMISSION_ROOM,
        useValue: new SubmissionRoom(config.submissionRoomBytes ?? roomIn(memoryLimitBytes())),
      },
      { provide: FAILPOINTS, useValue: failpointsAt(config.failpoints) },
      {
        provide: ChannelFailover,
        useFactory: (http: HttpPools) => openChannelFailover(config, metrics, logger, http),
        inject: [HTTP_POOLS],
      },
      ...resources.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...providers, ...STAGE_PROVIDERS] };
  }
}

/** Initialises to 0 so that the `increase()` of an alert counts the first event. */
function initialiseCounters({ submitUnknown, orphans, jobsRescheduled, lostChannels }: WorkerMetrics, vendor: Vendor) {
  for (const counter of [submitUnknown, orphans, jobsRescheduled, lostChannels]) counter.inc({ vendor }, 0);
}
