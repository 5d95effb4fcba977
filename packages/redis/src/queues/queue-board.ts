import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { FastifyAdapter } from '@bull-board/fastify';
import { TICKET_QUEUE_KINDS, ticketQueueName, VENDORS, videoPollQueueName } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { openReadOnly } from './read-queues.js';

export interface QueueBoard {
  /** Register it under `path`, behind the admin's authentication. */
  readonly plugin: ReturnType<FastifyAdapter['registerPlugin']>;
  close(): Promise<void>;
}

const QUEUE_NAMES = VENDORS.flatMap((vendor) => [
  ...TICKET_QUEUE_KINDS.map((kind) => ticketQueueName(kind, vendor)),
  videoPollQueueName(vendor),
]);

/** A claim token is a secret, and a client's headers may hold one. */
const HIDDEN_FIELDS = ['claimToken', 'forward'];

const redact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, HIDDEN_FIELDS.includes(name) ? '…' : redact(part)]),
  );
};

/** Loaded by the one service that has the board: the library needs 127 modules with 2 MB of source. */
async function loadBoard() {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  return { createBullBoard, BullMQAdapter, FastifyAdapter };
}

/**
 * All queues as read-only pages: a ticket that is moved by hand would be a request without a client. `redis` has the role
 * `commands`, is shared and stays open.
 */
export async function openQueueBoard(
  redis: RedisConnection,
  path: string,
  keys: RedisKeys = redisKeys(),
): Promise<QueueBoard> {
  const { createBullBoard, BullMQAdapter, FastifyAdapter } = await loadBoard();
  const queues = QUEUE_NAMES.map((name) => openReadOnly(redis, name, keys));
  // The library's own search for its pages does not work in a bundle.
  const uiBasePath = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
  const serverAdapter = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    queues: queues.map((queue) => {
      const adapter = new BullMQAdapter(queue, { readOnlyMode: true });
      adapter.setFormatter('data', redact);
      return adapter;
    }),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Queues', hideRedisDetails: true }, uiBasePath },
  });
  return {
    plugin: serverAdapter.registerPlugin(),
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
