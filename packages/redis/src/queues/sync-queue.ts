import { type SyncTicket, syncQueueName, type Vendor, videoQueueName } from '@gateway/contracts';
import type { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import type { RedisKeys } from '../keys.js';
import { openQueue } from './open-queue.js';
import { TicketBundler, type TicketJob } from './ticket-bundle.js';

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  /** Age of the oldest waiting job; 0 if none waits. */
  readonly oldestWaitMs: number;
}

export interface SyncQueue {
  readonly vendor: Vendor;
  /** Fails at once while Redis is away. A request that is enqueued twice is one job. */
  enqueue(ticket: SyncTicket): Promise<void>;
  /** Removes a request that has a separate job. True if that job had not started. */
  remove(requestId: string): Promise<boolean>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

/** `redis` has the role `commands`, is shared and stays open; wait for it with `withReady` first. */
export const createSyncQueue = (redis: RedisConnection, vendor: Vendor, keys?: RedisKeys): Promise<SyncQueue> =>
  createTicketQueue(redis, vendor, syncQueueName(vendor), keys);

/** Video tickets have a separate queue, so that neither kind waits behind the other. */
export const createVideoQueue = (redis: RedisConnection, vendor: Vendor, keys?: RedisKeys): Promise<SyncQueue> =>
  createTicketQueue(redis, vendor, videoQueueName(vendor), keys);

async function createTicketQueue(
  redis: RedisConnection,
  vendor: Vendor,
  name: string,
  keys?: RedisKeys,
): Promise<SyncQueue> {
  const { queue, close } = await openQueue<TicketJob>(redis, name, keys);
  const bundler = new TicketBundler((job, jobId) => queue.add('sync', job, { jobId }));
  return {
    vendor,
    enqueue: (ticket) => bundler.enqueue(ticket),
    async remove(requestId) {
      // BullMQ also returns 1 for a job that does not exist.
      if ((await queue.getJob(requestId)) === undefined) return false;
      return (await queue.remove(requestId)) === 1;
    },
    counts: () => countJobs(queue),
    close,
  };
}

async function countJobs(queue: Queue<TicketJob, void>): Promise<QueueCounts> {
  const [{ waiting = 0, active = 0 }, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'active'),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  return { waiting, active, oldestWaitMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.timestamp) };
}
