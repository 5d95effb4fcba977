import type { SyncWorkerConfig } from '@gateway/config';

export type WorkerConfig = SyncWorkerConfig;

export const WORKER_CONFIG = Symbol('WorkerConfig');
export const WORKER_METRICS = Symbol('WorkerMetrics');
export const LOGGER = Symbol('Logger');
export const FAILPOINTS = Symbol('Failpoints');
export const TRACING = Symbol('Tracing');
export const SETTLER = Symbol('Settler');
export const ADMISSION_STORE = Symbol('AdmissionStore');
/** `RequestOrigin`: where requests wait for their claim. */
export const REQUEST_ORIGIN = Symbol('RequestOrigin');
/** Present if results are kept. */
export const REQUEST_STORE = Symbol('RequestStore');
export const LIVE_RESPONSES = Symbol('LiveResponses');
export const OBJECT_STORE = Symbol('ObjectStore');
/** `SessionThreads`: for long requests and responses. */
export const THREADS = Symbol('Threads');
/** `ImageResults`; undefined: images keep the addresses of their vendors. */
export const IMAGE_RESULTS = Symbol('ImageResults');
export const REDIS = Symbol('Redis');
export const HTTP_POOLS = Symbol('HttpPools');
/** `createTicketWorker`: opens one queue. */
export const CREATE_QUEUE_WORKER = Symbol('CreateQueueWorker');
export const AUDIO_ENCODERS = Symbol('AudioEncoders');
