/** Injection tokens of what `packages/redis` gives. */
export const ADMISSION_STORE = Symbol('AdmissionStore');
export const IDEMPOTENCY_STORE = Symbol('IdempotencyStore');
export const KEY_CACHE = Symbol('KeyCache');
export const SYNC_QUEUES = Symbol('SyncQueues');
export const VIDEO_QUEUES = Symbol('VideoQueues');
export const POLL_QUEUES = Symbol('PollQueues');
export const SETTLER = Symbol('Settler');
