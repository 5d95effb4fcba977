import { MODELS } from '@gateway/catalogue';
import { ChannelFailover, openChannelFailover, VendorCosts } from '@gateway/channels';
import type { HttpPools } from '@gateway/http';
import { failpointsAt, type Logger, type Metrics, memoryLimitBytes, type Tracing } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { InteractionIds } from './adapters/images/interaction-ids.js';
import { RunInThread } from './adapters/in-thread/run-in-thread.service.js';
import { CallUpstream } from './call-upstream/call-upstream.service.js';
import { CallWithFailover } from './call-upstream/call-with-failover.service.js';
import { DownloadResults } from './call-upstream/download-results.service.js';
import { ReplyRoom, SHARE_FOR_REPLIES } from './call-upstream/reply-room.js';
import { ConsumeTickets } from './consume-tickets.service.js';
import { EndTicket } from './end-ticket.service.js';
import { ExecutePlan } from './execute-plan.service.js';
import { KeepLeases } from './handle-interruption/keep-leases.service.js';
import { LimitSpending } from './handle-interruption/limit-spending.service.js';
import { NameImages } from './keep-images/name-images.service.js';
import { type WorkerMetrics, workerMetrics } from './observability/metrics.js';
import { PublishResponse } from './publish-response/publish-response.service.js';
import { UsageTicker } from './publish-response/usage-ticker.service.js';
import { ReportUsage } from './report-usage/report-usage.service.js';
import type { WorkerResources } from './resources.js';
import { RunTicket } from './run-ticket.service.js';
import { FAILPOINTS, HTTP_POOLS, LOGGER, TRACING, WORKER_CONFIG, WORKER_METRICS, type WorkerConfig } from './tokens.js';

const SERVICES = [
  CallUpstream,
  DownloadResults,
  CallWithFailover,
  ExecutePlan,
  NameImages,
  UsageTicker,
  PublishResponse,
  RunInThread,
  ReportUsage,
  EndTicket,
  KeepLeases,
  LimitSpending,
  RunTicket,
  ConsumeTickets,
];

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: DynamicModule;
  readonly resources: WorkerResources;
}

/** At 0 from the start, so that `increase()` counts the first event. */
function initialiseCounters({ unpricedUsage, namedImages }: WorkerMetrics): void {
  for (const outcome of ['named', 'vendor_address']) namedImages.inc({ outcome }, 0);
  unpricedUsage.inc({ protocol: '', field: '' }, 0);
}

@Module({})
export class AppModule {
  static with({ config, logger, metrics, tracing, resources, health }: WorkerSetup): DynamicModule {
    const registered = workerMetrics(metrics);
    initialiseCounters(registered);
    const values: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TRACING, useValue: tracing },
      { provide: FAILPOINTS, useValue: failpointsAt(config.failpoints) },
      { provide: WORKER_METRICS, useValue: registered },
      {
        provide: ReplyRoom,
        useValue: new ReplyRoom(config.replyRoomBytes ?? Math.floor(memoryLimitBytes() * SHARE_FOR_REPLIES)),
      },
      { provide: VendorCosts, useValue: new VendorCosts(metrics, MODELS) },
      { provide: InteractionIds, useValue: new InteractionIds(config.interactionSecrets) },
      {
        provide: ChannelFailover,
        useFactory: (http: HttpPools) => openChannelFailover(config, metrics, logger, http),
        inject: [HTTP_POOLS],
      },
      ...resources.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...values, ...SERVICES] };
  }
}
