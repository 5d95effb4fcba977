/** Injection tokens of what `packages/redis` gives. */
export const ADMISSION_STORE = Symbol('AdmissionStore');
export const IDEMPOTENCY_STORE = Symbol('IdempotencyStore');
export const KEY_CACHE = Symbol('KeyCache');
export const SYNC_QUEUES = Symbol('SyncQueues');
export const SETTLER = Symbol('Settler');
