import type { Logger, Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { ObserveTasks } from './observe-tasks.service.js';
import { SetAlarms } from './set-alarms.service.js';
import { SweepTasks } from './sweep-tasks.service.js';
import type { WorkerDoors } from './worker-doors.js';
import { WORKER_METRICS, workerMetrics } from './worker-metrics.js';

const STAGES = [SetAlarms, SweepTasks, ObserveTasks];

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
      ...doors.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...given, ...STAGES] };
  }
}
