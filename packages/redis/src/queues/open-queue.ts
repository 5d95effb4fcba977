import { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { onConnected } from '../connection/on-connected.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** The events stream is kept this short; without it BullMQ keeps 10,000 entries for each queue. */
const EVENTS_KEPT = 10;

export interface OpenedQueue<Data> {
  readonly queue: Queue<Data, void>;
  close(): Promise<void>;
}

/** The adding side of a queue: one attempt for a job, nothing kept after its end. `redis` is shared and stays open. */
export async function openQueue<Data>(
  redis: RedisConnection,
  name: string,
  keys: RedisKeys = redisKeys(),
): Promise<OpenedQueue<Data>> {
  const queue = new Queue<Data, void>(name, {
    connection: redis,
    prefix: keys.queuePrefix(name),
    streams: { events: { maxLen: EVENTS_KEPT } },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
  // The connection has its own listener; the queue's 'error' events only repeat it.
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  const keepEventsShort = () => {
    // Fails only if the connection is lost again, and then the next one repeats it.
    queue
      .getBackend()
      .setQueueMeta({ 'opts.maxLenEvents': EVENTS_KEPT })
      .catch(() => undefined);
  };
  const stop = onConnected(redis, keepEventsShort);
  return {
    queue,
    async close() {
      stop();
      await queue.close();
    },
  };
}
