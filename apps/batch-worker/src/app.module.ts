import { failpointsAt, type Logger, type Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { BatchStep } from './failpoints.js';
import type { FileResources } from './keep-files/file-resources.js';
import { batchMetrics } from './metrics.js';
import type { WorkerResources } from './resources.js';
import { RunBatches } from './run-batches.service.js';
import { LOGGER, RUN_PORTS, type SharedPorts, WORKER_CONFIG, type WorkerConfig } from './tokens.js';

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: DynamicModule;
  readonly resources: WorkerResources;
  readonly keeping: FileResources;
}

@Module({})
export class AppModule {
  static with({ config, logger, metrics, resources, keeping, health }: WorkerSetup): DynamicModule {
    const { batches, files, pools } = resources;
    const failpoints = failpointsAt<BatchStep>(config.failpoints);
    const ports: SharedPorts = { config, batches, files, pools, logger, failpoints, metrics: batchMetrics(metrics) };
    const values: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: RUN_PORTS, useValue: ports },
      ...resources.providers,
      ...keeping.providers,
    ];
    return { module: AppModule, imports: [health], providers: [...values, RunBatches] };
  }
}
