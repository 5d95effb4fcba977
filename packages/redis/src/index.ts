export { type AccountState, onTheWayBack } from './admission/account-state.js';
export type { BookedUsage } from './admission/acknowledge.js';
export { AdmissionStore, type AdmissionStoreOptions } from './admission/admission-store.js';
export { admitWithBlocks } from './admission/admit-with-blocks.js';
export type { Grant, GrantOutcome } from './admission/grant.js';
export type { HoldRecord } from './admission/hold-record.js';
export type { RunningRequest } from './admission/renew.js';
export type { Reserve, ReserveOutcome } from './admission/reserve.js';
export type { Settlement } from './admission/settle.js';
export { showReserve } from './admission/show-reserve.js';
export type { SpendingState } from './admission/spending.js';
export type { BlockReturn } from './admission/take-back.js';
export { closeRedis } from './connection/close-redis.js';
export { connectRedis, type RedisConnection } from './connection/connect-redis.js';
export type { RedisMemory } from './connection/read-memory.js';
export { connectRedisPair, type RedisAddresses, type RedisPair, type RedisStore } from './connection/redis-pair.js';
export type { RedisRole } from './connection/socket-options.js';
export { wasNeverSent } from './connection/was-never-sent.js';
export { withReady } from './connection/with-ready.js';
export {
  type BeginOutcome,
  IdempotencyStore,
  type IdempotencyStoreOptions,
  KEPT_MS,
} from './idempotency/idempotency-store.js';
export type { KeepOutcome } from './idempotency/keep.js';
export type { BodyApart, KeptAnswer, NewTurn } from './idempotency/turn.js';
export { KeyCache } from './key-cache/key-cache.js';
export {
  type InvalidationSubscriber,
  type InvalidationSubscription,
  subscribeInvalidations,
} from './key-cache/subscribe-invalidations.js';
export { type RedisKeys, redisKeys } from './keys.js';
export {
  createPollQueue,
  createPollWorker,
  type PollAlarm,
  type PollQueue,
  type PollWorker,
  type PollWorkerOptions,
} from './queues/poll-queue.js';
export { openQueueBoard, type QueueBoard } from './queues/queue-board.js';
export { createSyncQueue, createVideoQueue, type QueueCounts, type SyncQueue } from './queues/sync-queue.js';
export {
  createSyncWorker,
  createVideoWorker,
  type HandedBack,
  type SyncWorker,
  type SyncWorkerOptions,
} from './queues/sync-worker.js';
export { type RequestInRedis, readRequest } from './requests/read-request.js';
export { openSettler } from './settler/open-settler.js';
export { Settler, type SettlerOptions } from './settler/settler.js';
export { PollRate, type PollRateOptions, type Turn } from './tasks/poll-rate.js';
export {
  publishTaskChange,
  subscribeTaskChanges,
  type TaskChange,
  type TaskChangeSubscriber,
  type TaskChangeSubscription,
} from './tasks/task-changes.js';
export { type DeadUsage, type UsageEntry, UsageStream, type UsageStreamOptions } from './usage/usage-stream.js';
