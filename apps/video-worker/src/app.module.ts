import type { Logger, Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { AttemptDelivery } from './notify/attempt-delivery.service.js';
import { NotifyCustomers } from './notify/notify-customers.service.js';
import { NotifyStage } from './notify/notify-stage.service.js';
import { ObserveWebhooks } from './notify/observe-webhooks.service.js';
import { RemoveOldEvents } from './notify/remove-old-events.service.js';
import { WEBHOOK_METRICS, webhookMetrics } from './notify/webhook-metrics.js';
import { ObserveTasks } from './observe-tasks.service.js';
import { SetAlarms } from './set-alarms.service.js';
import { SweepTasks } from './sweep-tasks.service.js';
import type { WorkerDoors } from './worker-doors.js';
import { WORKER_METRICS, workerMetrics } from './worker-metrics.js';

const NOTIFY = [AttemptDelivery, NotifyCustomers, ObserveWebhooks, RemoveOldEvents, NotifyStage];
const STAGES = [...NOTIFY, SetAlarms, SweepTasks, ObserveTasks];

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: DynamicModule;
  readonly doors: WorkerDoors;
}

/** The worker of video tasks: its stages, and the doors that it was given. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, doors, health }: WorkerSetup): DynamicModule {
    const given: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: WORKER_METRICS, useValue: workerMetrics(metrics) },
      { provide: WEBHOOK_METRICS, useValue: webhookMetrics(metrics) },
      ...doors.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...given, ...STAGES] };
  }
}
