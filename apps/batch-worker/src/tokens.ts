import type { BatchWorkerConfig } from '@gateway/config';
import type { HttpPools } from '@gateway/http';
import type { Logger } from '@gateway/observability';
import type { BatchStore, StoredObjects } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import type { BatchFailpoints } from './failpoints.js';
import type { BatchMetrics } from './metrics.js';

export type WorkerConfig = BatchWorkerConfig;

/** Injection tokens of what is opened before Nest starts. */
export const WORKER_CONFIG = Symbol('BatchWorkerConfig');
/** `SharedPorts`: what every run of a batch uses. */
export const RUN_PORTS = Symbol('RunPorts');
export const LOGGER = Symbol('Logger');
export const BATCH_STORE = Symbol('BatchStore');
/** The store of inputs and results; undefined: there are no batches. */
export const OBJECT_STORE = Symbol('ObjectStore');

/** The rows of files, and of vendors' results. */
export const STORED_OBJECTS = Symbol('StoredObjects');
export const FETCHED_RESULTS = Symbol('FetchedResults');
/** Connections to addresses that vendors name. */
export const RESULT_POOLS = Symbol('ResultPools');
export const FETCH_FOLDER = Symbol('FetchFolder');
export const FETCH_METRICS = Symbol('FetchMetrics');
export const SWEEP_METRICS = Symbol('SweepMetrics');
/** What all runs share. */
export interface SharedPorts {
  readonly config: Pick<WorkerConfig, 'edgeUrl' | 'batchSecret'>;
  readonly batches: BatchStore;
  readonly files: StoredObjects;
  readonly pools: HttpPools;
  readonly metrics: BatchMetrics;
  readonly logger: Logger;
  readonly failpoints: BatchFailpoints;
}

export interface RunPorts extends SharedPorts {
  readonly objects: ObjectStore;
  /** The lines that this batch may have at the edge now. */
  readonly share: () => number;
}
