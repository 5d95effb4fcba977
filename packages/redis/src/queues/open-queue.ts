import { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { onConnected } from '../connection/on-connected.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** BullMQ's default is 10,000 entries per queue, and nothing here reads them. */
const MAX_EVENTS = 10;

export interface OpenedQueue<Data> {
  readonly queue: Queue<Data, void>;
  close(): Promise<void>;
}

/** The adding side of a queue. A job has one attempt and is removed when it ends. `redis` is shared and stays open. */
export async function openQueue<Data>(
  redis: RedisConnection,
  name: string,
  keys: RedisKeys = redisKeys(),
): Promise<OpenedQueue<Data>> {
  const queue = new Queue<Data, void>(name, {
    connection: redis,
    prefix: keys.queuePrefix(name),
    streams: { events: { maxLen: MAX_EVENTS } },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
  // The connection reports its own errors; the queue's 'error' events repeat them.
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  const limitEvents = () => {
    // Fails only if the connection is lost, and the next connection repeats it.
    queue
      .getBackend()
      .setQueueMeta({ 'opts.maxLenEvents': MAX_EVENTS })
      .catch(() => undefined);
  };
  const unsubscribe = onConnected(redis, limitEvents);
  return {
    queue,
    async close() {
      unsubscribe();
      await queue.close();
    },
  };
}
