import type { VideoWorkerConfig } from '@gateway/config';

export type WorkerConfig = VideoWorkerConfig;

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
/** `SessionThreads` for long submissions. */
export const THREADS = Symbol('SessionThreads');
/** `SubmissionRoom` of this process. */
export const SUBMISSION_ROOM = Symbol('SubmissionRoom');
/** Calls customers' addresses. In production it reaches public addresses only. */
export const WEBHOOK_POOLS = Symbol('WebhookPools');
/** `PollTask`, for the sweep: recovery must not import polling. */
export const TASK_POLLER = Symbol('TaskPoller');
export const FAILPOINTS = Symbol('Failpoints');
export const WORKER_METRICS = Symbol('WorkerMetrics');
export const WEBHOOK_METRICS = Symbol('WebhookMetrics');
