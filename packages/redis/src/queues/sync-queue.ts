import { type SyncTicket, syncQueueName, type Vendor } from '@gateway/contracts';
import { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { TicketBundler, type TicketJob } from './ticket-bundle.js';

/** The events stream is kept this short; without it BullMQ keeps 10,000 entries for each queue. */
const EVENTS_KEPT = 10;

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  /** How long the first waiting job has waited; 0 if none waits. */
  readonly oldestWaitMs: number;
}

export interface SyncQueue {
  readonly vendor: Vendor;
  /** Fails at once while Redis is away. The same request twice is one job. */
  enqueue(ticket: SyncTicket): Promise<void>;
  /** True if the request had a job of its own, which had not started and is gone. */
  remove(requestId: string): Promise<boolean>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

/** `redis` has the role `commands`, is shared and stays open; wait for it with `withReady` first. */
export async function createSyncQueue(
  redis: RedisConnection,
  vendor: Vendor,
  keys: RedisKeys = redisKeys(),
): Promise<SyncQueue> {
  const name = syncQueueName(vendor);
  const queue = new Queue<TicketJob, void>(name, {
    connection: redis,
    prefix: keys.queuePrefix(name),
    streams: { events: { maxLen: EVENTS_KEPT } },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
  // The connection has its own listener; the queue's 'error' events only repeat it.
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  const keepEventsShort = () => {
    // Fails only if the connection is lost again, and then the next 'ready' repeats it.
    queue
      .getBackend()
      .setQueueMeta({ 'opts.maxLenEvents': EVENTS_KEPT })
      .catch(() => undefined);
  };
  redis.on('ready', keepEventsShort);
  const bundler = new TicketBundler((job, jobId) => queue.add('sync', job, { jobId }));
  return {
    vendor,
    enqueue: (ticket) => bundler.enqueue(ticket),
    async remove(requestId) {
      // BullMQ also says 1 for a job that is not there.
      if ((await queue.getJob(requestId)) === undefined) return false;
      return (await queue.remove(requestId)) === 1;
    },
    counts: () => countJobs(queue),
    async close() {
      redis.off('ready', keepEventsShort);
      await queue.close();
    },
  };
}

async function countJobs(queue: Queue<TicketJob, void>): Promise<QueueCounts> {
  const [{ waiting = 0, active = 0 }, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'active'),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  return { waiting, active, oldestWaitMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.timestamp) };
}
