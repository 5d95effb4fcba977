import { ChannelFailover, ChannelSelector } from '@gateway/channels';
import type { Logger, Metrics, Tracing } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { AnswerWork } from './answer-work.service.js';
import { CallUpstream } from './call-upstream/call-upstream.service.js';
import { ConsumeTickets } from './consume-tickets.service.js';
import { InteractionIds } from './interaction-ids.js';
import { LANE_MEANS } from './lane.js';
import { LOGGER, TRACING } from './observability-door.js';
import { OpenUpstream } from './open-upstream.service.js';
import { MeterClock } from './publish-answer/meter-clock.service.js';
import { PublishAnswer } from './publish-answer/publish-answer.service.js';
import { ReportUsage } from './report-usage/report-usage.service.js';
import { RunTicket } from './run-ticket.service.js';
import { WORKER_CONFIG, type WorkerConfig } from './worker-config.js';
import type { WorkerDoors } from './worker-doors.js';
import { WORKER_METRICS, type WorkerMetrics, workerMetrics } from './worker-metrics.js';

const STAGES = [
  CallUpstream,
  OpenUpstream,
  AnswerWork,
  MeterClock,
  PublishAnswer,
  ReportUsage,
  RunTicket,
  ConsumeTickets,
];

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: DynamicModule;
  readonly doors: WorkerDoors;
}

/** The worker of synchronous requests: its stages, and the doors that it was given. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, tracing, doors, health }: WorkerSetup): DynamicModule {
    const counted = workerMetrics(metrics);
    const given: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TRACING, useValue: tracing },
      { provide: LANE_MEANS, useValue: { interactionIds: new InteractionIds(config.interactionSecrets) } },
      { provide: WORKER_METRICS, useValue: counted },
      { provide: ChannelFailover, useValue: channelsOf(config, counted, logger) },
      ...doors.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...given, ...STAGES] };
  }
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
