import { closeInOrder, type Logger, logOutages, type Metrics } from '@gateway/observability';
import { type BatchStore, openBatchStore } from '@gateway/postgres';
import { measureOperations, type ObjectStore, openStore } from '@gateway/store';
import type { Provider } from '@nestjs/common';
import { BATCH_STORE, OBJECT_STORE, type WorkerConfig } from './tokens.js';

/** The pools and the store that this worker opens at boot and closes at shutdown. None of them connects at once. */
export class WorkerResources {
  readonly providers: readonly Provider[];

  private constructor(
    readonly batches: BatchStore,
    objects: ObjectStore | undefined,
    private readonly logger: Logger,
  ) {
    this.providers = [
      { provide: BATCH_STORE, useValue: batches },
      { provide: OBJECT_STORE, useValue: objects },
    ];
  }

  static async open(
    { store, databaseUrl, poolSize }: WorkerConfig,
    { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  ): Promise<WorkerResources> {
    const logOutage = logOutages(logger);
    const batches = openBatchStore({
      databaseUrl,
      poolSize,
      applicationName: 'batch-worker',
      onError: (error) => logOutage('postgres', error),
    });
    const onOperation = measureOperations(metrics);
    const objects = store === undefined ? undefined : await openStore(store, { onOperation });
    return new WorkerResources(batches, objects, logger);
  }

  async close(): Promise<void> {
    await closeInOrder([() => this.batches.close()], this.logger);
  }
}
