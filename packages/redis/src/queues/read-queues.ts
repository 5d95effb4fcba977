import { TICKET_QUEUE_KINDS, ticketQueueName, VENDORS, type Vendor, videoPollQueueName } from '@gateway/contracts';
import { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** What a queue holds. `oldestWaitMs`: the age of its first waiting job; null without one. */
export interface QueueDepth {
  readonly name: string;
  readonly kind: string;
  readonly vendor: Vendor;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly oldestWaitMs: number | null;
}

export interface QueueReader {
  read(): Promise<readonly QueueDepth[]>;
  close(): Promise<void>;
}

const QUEUES = VENDORS.flatMap((vendor) => [
  ...TICKET_QUEUE_KINDS.map((kind) => ({ name: ticketQueueName(kind, vendor), kind: kind as string, vendor })),
  { name: videoPollQueueName(vendor), kind: 'video-poll', vendor },
]);

/**
 * Opens a queue for reading. It writes nothing to Redis and does not wait for a connection. BullMQ asks for the version once:
 * a Redis that is late with that reply would leave a queue that can never be read.
 */
export function openReadOnly(redis: RedisConnection, name: string, keys: RedisKeys): Queue {
  const queue = new Queue(name, {
    connection: redis,
    prefix: keys.queuePrefix(name),
    skipMetasUpdate: true,
    skipVersionCheck: true,
  });
  // The connection reports its own errors; the queue's 'error' events repeat them.
  queue.on('error', () => undefined);
  return queue;
}

/** Reads the depth of every queue. `redis` has the role `commands`, is shared and stays open. */
export function openQueueReader(redis: RedisConnection, keys: RedisKeys = redisKeys()): QueueReader {
  const queues = QUEUES.map((about) => ({ ...about, queue: openReadOnly(redis, about.name, keys) }));
  return {
    read: () => Promise.all(queues.map(({ queue, ...about }) => depthOf(queue, about))),
    async close() {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}

async function depthOf(queue: Queue, about: Pick<QueueDepth, 'name' | 'kind' | 'vendor'>): Promise<QueueDepth> {
  const [counts, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const oldestWaitMs = oldest === undefined ? null : Math.max(0, Date.now() - oldest.timestamp);
  return { ...about, waiting, active, delayed, failed, oldestWaitMs };
}
