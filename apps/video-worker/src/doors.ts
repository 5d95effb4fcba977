import type { VideoWorkerConfig } from '@gateway/config';

export type WorkerConfig = VideoWorkerConfig;

/** Injection tokens of what this process is given from outside. */
export const WORKER_CONFIG = Symbol('WorkerConfig');
/** The name under which this process holds leases. */
export const WORKER_ID = Symbol('WorkerId');
export const LOGGER = Symbol('Logger');
export const TRACING = Symbol('Tracing');
export const DATABASE = Symbol('Database');
export const TASK_STORE = Symbol('TaskStore');
export const QUEUE_REDIS = Symbol('QueueRedis');
export const ADMISSION_STORE = Symbol('AdmissionStore');
export const SETTLER = Symbol('Settler');
/** The `PollQueue` of each vendor. */
export const POLL_QUEUES = Symbol('PollQueues');
export const POLL_RATE = Symbol('PollRateLimiter');
export const RELAY_POOL = Symbol('RelayPool');
export const HTTP_POOLS = Symbol('HttpPools');
/** Reaches customers' addresses, and in production nothing but the internet. */
export const WEBHOOK_POOLS = Symbol('WebhookPools');
