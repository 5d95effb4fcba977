import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { syncQueueName, VENDORS, videoPollQueueName, videoQueueName } from '@gateway/contracts';
import { Queue } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';

export interface QueueBoard {
  /** To be registered below `path`, behind whatever keeps strangers out. */
  readonly plugin: ReturnType<FastifyAdapter['registerPlugin']>;
  close(): Promise<void>;
}

const QUEUE_NAMES = VENDORS.flatMap((vendor) => [
  syncQueueName(vendor),
  videoQueueName(vendor),
  videoPollQueueName(vendor),
]);

/** Who may claim a request is nobody's business who looks at queues, nor what a client's headers said. */
const HIDDEN = ['claimToken', 'forward'];

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, HIDDEN.includes(name) ? '…' : shown(part)]),
  );
};

/** Made without a look at Redis, which need not be there yet, and without a trace in it. */
function lookAt(redis: RedisConnection, name: string, keys: RedisKeys): Queue {
  const queue = new Queue(name, { connection: redis, prefix: keys.queuePrefix(name), skipMetasUpdate: true });
  // The connection has its own listener; the queue's 'error' events only repeat it.
  queue.on('error', () => undefined);
  return queue;
}

/**
 * All queues as pages to look at, and only to look at: a ticket that is moved by hand is a request that nobody waits for.
 * `redis` has the role `commands`, is shared and stays open.
 */
export function openQueueBoard(redis: RedisConnection, path: string, keys: RedisKeys = redisKeys()): QueueBoard {
  const queues = QUEUE_NAMES.map((name) => lookAt(redis, name, keys));
  const serverAdapter = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    queues: queues.map((queue) => {
      const adapter = new BullMQAdapter(queue, { readOnlyMode: true });
      adapter.setFormatter('data', shown);
      return adapter;
    }),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Queues', hideRedisDetails: true } },
  });
  return {
    plugin: serverAdapter.registerPlugin(),
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
