export type { AccountFundsRecord } from './admission/account-funds.js';
export { type AccountState, pendingReturnNanoUsd } from './admission/account-state.js';
export type { AcknowledgedUsage, BookedTotals } from './admission/acknowledge.js';
export { AdmissionStore, type AdmissionStoreOptions, type ShardEpochs } from './admission/admission-store.js';
export { admitWithBlocks } from './admission/admit-with-blocks.js';
export type { Grant, GrantOutcome } from './admission/grant.js';
export type { HoldRecord } from './admission/hold-record.js';
export { mirrorReserve } from './admission/mirror-reserve.js';
export type { ShardState } from './admission/read-shards.js';
export { HOLD_MS, LEASE_MS, type RunningRequest } from './admission/renew.js';
export type { Reserve, ReserveOutcome } from './admission/reserve.js';
export type { Settlement } from './admission/settle.js';
export type { SpendingState } from './admission/spending.js';
export type { BlockReturn } from './admission/take-back.js';
export { ChannelBoard } from './channels/channel-board.js';
export { ChannelSync, reportProcess } from './channels/channel-sync.js';
export { checkRedis } from './connection/check-redis.js';
export { closeRedis } from './connection/close-redis.js';
export { connectRedis, type RedisConnection } from './connection/connect-redis.js';
export { describeRedis, type RedisDescription } from './connection/describe-redis.js';
export type { RedisMemory } from './connection/read-memory.js';
export { connectRedisPair, type RedisAddresses, type RedisPair, type RedisStore } from './connection/redis-pair.js';
export type { RedisRole } from './connection/socket-options.js';
export { wasNeverSent } from './connection/was-never-sent.js';
export { withReady } from './connection/with-ready.js';
export {
  type BookedRequest,
  BookedRequestsFeed,
  type BookedRequestsListener,
  publishBookedRequests,
} from './feed/booked-requests.js';
export { RecentRefusals, type RefusedRequest } from './feed/recent-refusals.js';
export type { CompleteOutcome } from './idempotency/complete.js';
export {
  type ClaimedWork,
  type NewIdempotencyClaim,
  type ResultOwner,
  resultClaimOwner,
  type SpilledBody,
  type StoredResponse,
} from './idempotency/idempotency-claim.js';
export {
  type ClaimOutcome,
  IDEMPOTENCY_RETENTION_MS,
  IdempotencyStore,
  type IdempotencyStoreOptions,
} from './idempotency/idempotency-store.js';
export {
  MAX_EARLIER_BYTES,
  MAX_REDIS_BYTES,
  SPILL_CHUNK_BYTES,
  SPILL_RETENTION_MS,
} from './idempotency/response-limits.js';
export { KeyCache } from './key-cache/key-cache.js';
export { KeyCacheInvalidator } from './key-cache/key-cache-invalidator.js';
export {
  type InvalidationSubscriber,
  type InvalidationSubscription,
  subscribeInvalidations,
} from './key-cache/subscribe-invalidations.js';
export { formerKeys, type MoneyKeys, type RedisKeys, redisKeys } from './keys.js';
export { type LiveLimits, LiveResponses, type RunningStream } from './live/live-responses.js';
export { FairSlots } from './queues/fair-slots.js';
export {
  createPollQueue,
  createPollWorker,
  type PollJob,
  type PollQueue,
  type PollWorker,
  type PollWorkerOptions,
} from './queues/poll-queue.js';
export { openQueueBoard, type QueueBoard } from './queues/queue-board.js';
export { openQueueReader, type QueueDepth, type QueueReader } from './queues/read-queues.js';
export type { Requeued } from './queues/requeue.js';
export { createTicketQueue, type QueueCounts, type SyncQueue } from './queues/sync-queue.js';
export { createTicketWorker, type SyncWorker, type SyncWorkerOptions } from './queues/sync-worker.js';
export { RELEASE } from './release.js';
export { type RequestStatus, readRequest } from './requests/read-request.js';
export { countBeyondHold } from './settler/count-beyond-hold.js';
export { openSettler } from './settler/open-settler.js';
export { Settler, type SettlerOptions } from './settler/settler.js';
export { totalOf } from './shards/total-of.js';
export { PollRateLimiter, type PollRateLimiterOptions, type PollSlot } from './tasks/poll-rate-limiter.js';
export {
  publishRequestChange,
  publishRequestEnd,
  publishTaskChange,
  subscribeTaskChanges,
  type TaskChange,
  type TaskChangeSubscriber,
  type TaskChangeSubscription,
} from './tasks/task-changes.js';
export { listUnbooked, type UnbookedUsage } from './usage/list-unbooked.js';
export { type RejectedUsage, type UsageEntry, UsageStream, type UsageStreamOptions } from './usage/usage-stream.js';
