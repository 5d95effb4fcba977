import { HttpPools } from '@gateway/http';
import { closeInOrder, type Logger, logOutages, type Metrics } from '@gateway/observability';
import { openFetchedResults, openStoredObjects } from '@gateway/postgres';
import type { Provider } from '@nestjs/common';
import {
  FETCH_FOLDER,
  FETCH_METRICS,
  FETCHED_RESULTS,
  RESULT_POOLS,
  STORED_OBJECTS,
  SWEEP_METRICS,
  type WorkerConfig,
} from '../tokens.js';
import { FetchFolder } from './fetch-folder.js';
import { fetchGauges, fetchMetrics } from './fetch-metrics.js';
import { FetchResults } from './fetch-results.service.js';
import { StoreResult } from './store-result.service.js';
import { sweepMetrics } from './sweep-metrics.js';
import { SweepObjects } from './sweep-objects.service.js';

const POOL_SIZE = 2;
const CONNECT_TIMEOUT_MS = 5_000;

/** What the care for files needs: fetching results of vendors, and deleting what has ended. */
export interface FileResources {
  readonly providers: readonly Provider[];
  close(): Promise<void>;
}

export async function openFileResources(
  { databaseUrl, port, results: { allowInsecure, directory } }: WorkerConfig,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Promise<FileResources> {
  const logOutage = logOutages(logger);
  const options = {
    databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'batch-worker-files',
    onError: (error: Error): void => logOutage('postgres', error),
  };
  const objects = openStoredObjects(options);
  const results = openFetchedResults(options);
  const pools = new HttpPools({
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    allowedAddresses: allowInsecure ? 'anywhere' : 'public',
  });
  fetchGauges(metrics, results);
  return {
    providers: [
      { provide: STORED_OBJECTS, useValue: objects },
      { provide: FETCHED_RESULTS, useValue: results },
      { provide: RESULT_POOLS, useValue: pools },
      { provide: FETCH_FOLDER, useValue: await FetchFolder.open(directory, `batch-worker-${port}`) },
      { provide: FETCH_METRICS, useValue: fetchMetrics(metrics) },
      { provide: SWEEP_METRICS, useValue: sweepMetrics(metrics) },
      StoreResult,
      FetchResults,
      SweepObjects,
    ],
    close: () => closeInOrder([() => pools.destroy(), () => objects.close(), () => results.close()], logger),
  };
}
