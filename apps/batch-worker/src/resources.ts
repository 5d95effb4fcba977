import { HttpPools, INTERNAL_SERVICES } from '@gateway/http';
import { closeInOrder, type Logger, logOutages, type Metrics } from '@gateway/observability';
import { type BatchStore, openBatchStore, openStoredObjects, type StoredObjects } from '@gateway/postgres';
import { measureOperations, type ObjectStore, openStore } from '@gateway/store';
import type { Provider } from '@nestjs/common';
import { BATCH_STORE, OBJECT_STORE, type WorkerConfig } from './tokens.js';

const FILE_POOL_SIZE = 2;

/** The pools and the store that this worker opens at boot and closes at shutdown. None of them connects at once. */
export class WorkerResources {
  readonly pools: HttpPools;
  readonly providers: readonly Provider[];

  private constructor(
    readonly batches: BatchStore,
    readonly files: StoredObjects,
    objects: ObjectStore | undefined,
    private readonly logger: Logger,
    linesAtOnce: number,
  ) {
    // One connection for each line, and for the poll of a line that outlived its own.
    this.pools = new HttpPools({ ...INTERNAL_SERVICES, connections: 2 * linesAtOnce });
    this.providers = [
      { provide: BATCH_STORE, useValue: batches },
      { provide: OBJECT_STORE, useValue: objects },
    ];
  }

  static async open(
    { store, databaseUrl, poolSize, linesAtOnce }: WorkerConfig,
    { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  ): Promise<WorkerResources> {
    const logOutage = logOutages(logger);
    const onError = (error: Error): void => logOutage('postgres', error);
    const batches = openBatchStore({ databaseUrl, poolSize, applicationName: 'batch-worker', onError });
    const files = openStoredObjects({
      databaseUrl,
      poolSize: FILE_POOL_SIZE,
      applicationName: 'batch-worker-files',
      onError,
    });
    const onOperation = measureOperations(metrics);
    const objects = store === undefined ? undefined : await openStore(store, { onOperation });
    return new WorkerResources(batches, files, objects, logger, linesAtOnce);
  }

  async close(): Promise<void> {
    await closeInOrder([() => this.pools.close(), () => this.files.close(), () => this.batches.close()], this.logger);
  }
}
