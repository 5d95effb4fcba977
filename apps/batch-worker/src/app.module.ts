import type { Logger } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { WorkerResources } from './resources.js';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from './tokens.js';

export interface WorkerSetup {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly health: DynamicModule;
  readonly resources: WorkerResources;
}

@Module({})
export class AppModule {
  static with({ config, logger, resources, health }: WorkerSetup): DynamicModule {
    const values: Provider[] = [
      { provide: WORKER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      ...resources.providers,
    ];
    return { module: AppModule, imports: [health], providers: values };
  }
}
