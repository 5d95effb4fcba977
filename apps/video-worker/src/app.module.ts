import { ChannelFailover, ChannelSelector } from '@gateway/channels';
import type { Vendor } from '@gateway/contracts';
import type { Logger, Metrics, Tracing } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { AcceptTask } from './accept-task.service.js';
import { AwaitChannel } from './await-channel.service.js';
import { ConsumeAlarms } from './consume-alarms.service.js';
import { ConsumeTickets } from './consume-tickets.service.js';
import { LOGGER, TRACING, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { EndSubmission } from './end-submission.service.js';
import { FAILPOINTS, failpointsAt } from './failpoints.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { TellMoney } from './finish-task/tell-money.service.js';
import { FollowTask } from './follow-task.service.js';
import { LookAtTask } from './look-at-task.service.js';
import { AttemptDelivery } from './notify/attempt-delivery.service.js';
import { EndLeftovers } from './notify/end-leftovers.service.js';
import { HearTaskChanges } from './notify/hear-task-changes.service.js';
import { NotifyCustomers } from './notify/notify-customers.service.js';
import { NotifyStage } from './notify/notify-stage.service.js';
import { ObserveWebhooks } from './notify/observe-webhooks.service.js';
import { RemoveOldEvents } from './notify/remove-old-events.service.js';
import { WEBHOOK_METRICS, webhookMetrics } from './notify/webhook-metrics.js';
import { ObserveTasks } from './observe-tasks.service.js';
import { PlanLook } from './plan-look.service.js';
import { AskInTurn } from './poll-task/ask-in-turn.service.js';
import { AskTask } from './poll-task/ask-task.service.js';
import { CancelUpstream } from './poll-task/cancel-upstream.service.js';
import { FindLost } from './poll-task/find-lost.service.js';
import { LearnPace } from './poll-task/learn-pace.service.js';
import { PollTurns } from './poll-task/poll-turns.service.js';
import { RecoverLost } from './recover-lost.service.js';
import { RunSubmission } from './run-submission.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import { SendRequest } from './send-request.service.js';
import { SetAlarms } from './set-alarms.service.js';
import { StopTask } from './stop-task.service.js';
import { AskUpstream } from './submit-task/ask-upstream.service.js';
import { HoldMoney } from './submit-task/hold-money.service.js';
import { OpenTask } from './submit-task/open-task.service.js';
import { SubmitTask } from './submit-task.service.js';
import { SweepTasks } from './sweep-tasks.service.js';
import { TaskChannels } from './task-channels.js';
import { TellChange } from './tell-change.service.js';
import type { WorkerDoors } from './worker-doors.js';
import { WORKER_METRICS, type WorkerMetrics, workerMetrics } from './worker-metrics.js';
import { WriteAcceptance } from './write-acceptance.service.js';

const NOTIFY = [
  AttemptDelivery,
  NotifyCustomers,
  HearTaskChanges,
  ObserveWebhooks,
  RemoveOldEvents,
  EndLeftovers,
  NotifyStage,
];
const STAGES = [
  TaskChannels,
  SendRequest,
  SetAlarms,
  TellChange,
  TellMoney,
  FinishTask,
  AskTask,
  CancelUpstream,
  LearnPace,
  PollTurns,
  AskInTurn,
  FindLost,
  ScheduleLook,
  PlanLook,
  AcceptTask,
  RecoverLost,
  StopTask,
  AwaitChannel,
  FollowTask,
  LookAtTask,
  HoldMoney,
  AskUpstream,
  WriteAcceptance,
  EndSubmission,
  OpenTask,
  SubmitTask,
  RunSubmission,
  ConsumeTickets,
  ConsumeAlarms,
  SweepTasks,
  ObserveTasks,
  ...NOTIFY,
];

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: DynamicModule;
  readonly doors: WorkerDoors;
}

/** The worker of video tasks: its stages, and the doors that it was given. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, tracing, doors, health }: WorkerSetup): DynamicModule {
    const counted = workerMetrics(metrics);
    for (const vendor of config.vendors) countFromZero(counted, vendor);
    const given: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TRACING, useValue: tracing },
      { provide: WEBHOOK_METRICS, useValue: webhookMetrics(metrics) },
      { provide: WORKER_METRICS, useValue: counted },
      { provide: FAILPOINTS, useValue: failpointsAt(config.failpoints) },
      { provide: ChannelFailover, useValue: channelsOf(config, counted, logger) },
      ...doors.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...given, ...STAGES] };
  }
}

/** What an alert waits for the first of: without a zero before it that is no increase. */
function countFromZero({ submitUnknown, disowned, alarmsSet, lostChannels }: WorkerMetrics, vendor: Vendor): void {
  for (const counter of [submitUnknown, disowned, alarmsSet, lostChannels]) counter.inc({ vendor }, 0);
}

function channelsOf(config: WorkerConfig, metrics: WorkerMetrics, logger: Logger): ChannelFailover {
  const choose = new ChannelSelector(config, (channel, isIll) => metrics.breakerOpen.set({ channel }, isIll ? 1 : 0));
  // From zero on: the first one of all is no increase of anything else.
  for (const { id } of config.channels) metrics.credentialsRefused.inc({ channel: id }, 0);
  return new ChannelFailover(choose, (refused) => {
    metrics.credentialsRefused.inc({ channel: refused.channel });
    logger.error(refused, 'a vendor refuses a credential: its channel rests');
  });
}
