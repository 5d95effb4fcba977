import type { BatchWorkerConfig } from '@gateway/config';

export type WorkerConfig = BatchWorkerConfig;

/** Injection tokens of what is opened before Nest starts. */
export const WORKER_CONFIG = Symbol('BatchWorkerConfig');
export const LOGGER = Symbol('Logger');
export const BATCH_STORE = Symbol('BatchStore');
/** The store of inputs and results; undefined: there are no batches. */
export const OBJECT_STORE = Symbol('ObjectStore');
