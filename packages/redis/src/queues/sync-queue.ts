import { type SyncTicket, type TicketQueueKind, ticketQueueName, type Vendor } from '@gateway/contracts';
import type { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import type { RedisKeys } from '../keys.js';
import { openQueue } from './open-queue.js';
import { TicketBundler, type TicketJob } from './ticket-bundle.js';

export interface QueueCounts {
  readonly waiting: number;
  /** Jobs in a worker with tickets that wait for a slot or are being claimed. */
  readonly active: number;
  /** Age of the oldest job without a claim, about; 0 if there is none. */
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
export async function createTicketQueue(
  redis: RedisConnection,
  kind: TicketQueueKind,
  vendor: Vendor,
  keys?: RedisKeys,
): Promise<SyncQueue> {
  const { queue, close } = await openQueue<TicketJob>(redis, ticketQueueName(kind, vendor), keys);
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

/** Jobs in workers, of which the oldest counts. */
const SAMPLED_JOBS = 16;

async function countJobs(queue: Queue<TicketJob, void>): Promise<QueueCounts> {
  const [{ waiting = 0, active = 0 }, ...samples] = await Promise.all([
    queue.getJobCounts('waiting', 'active'),
    queue.getJobs(['waiting'], 0, 0, true),
    // Not sorted by age: every job without a slot goes back to the end of the queue after a second.
    queue.getJobs(['active', 'delayed'], 0, SAMPLED_JOBS - 1, true),
  ]);
  const oldest = Math.min(...samples.flat().map(({ timestamp }) => timestamp));
  return { waiting, active, oldestWaitMs: Number.isFinite(oldest) ? Math.max(0, Date.now() - oldest) : 0 };
}
