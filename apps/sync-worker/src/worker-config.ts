import type { SyncWorkerConfig } from '@gateway/config';

export type WorkerConfig = SyncWorkerConfig;

export const WORKER_CONFIG = Symbol('WorkerConfig');
