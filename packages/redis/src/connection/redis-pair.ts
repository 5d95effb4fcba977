import { checkQueueRedis, checkRedis } from './check-redis.js';
import { closeRedis } from './close-redis.js';
import { connectRedis, type RedisConnection } from './connect-redis.js';
import { type RedisMemory, readMemory } from './read-memory.js';
import { withReady } from './with-ready.js';

export interface RedisAddresses {
  readonly redisUrl: string;
  readonly queueRedisUrl: string;
}

/** The Redis with money and limits, or the one with the queues if it is a separate one. */
export type RedisStore = 'redis' | 'queue-redis';

/**
 * A service's two Redis connections for short commands. If both addresses are the same, it is one connection: commands
 * share writes, and readiness checks one Redis.
 */
export interface RedisPair {
  /** Limits, leases, holds, escrow, idempotency records and cached keys: those of an account share a slot. */
  readonly money: RedisConnection;
  /** Tickets, poll jobs, poll rates and task change hints: all of it can be rebuilt. */
  readonly queues: RedisConnection;
  /** Readiness checks of a service that needs both. */
  readonly checks: readonly { readonly name: RedisStore; check(): Promise<unknown> }[];
  /** Memory of each store. */
  memory(): Promise<readonly (readonly [store: RedisStore, memory: RedisMemory])[]>;
  /** Resolves when both are connected, however long that takes: `onError` says what is away. */
  ready(): Promise<void>;
  close(timeoutMs?: number): Promise<void>;
}

export function connectRedisPair(
  { redisUrl, queueRedisUrl }: RedisAddresses,
  onError: (error: Error, store: RedisStore) => void,
): RedisPair {
  const connect = (url: string, store: RedisStore) => connectRedis(url, 'commands', (error) => onError(error, store));
  const money = connect(redisUrl, 'redis');
  const queues = queueRedisUrl === redisUrl ? money : connect(queueRedisUrl, 'queue-redis');
  const stores: readonly (readonly [RedisStore, RedisConnection])[] =
    queues === money
      ? [['redis', money]]
      : [
          ['redis', money],
          ['queue-redis', queues],
        ];
  return {
    money,
    queues,
    checks: stores.map(([name, redis]) => ({
      name,
      check: () => (name === 'redis' ? checkRedis(redis) : checkQueueRedis(redis)),
    })),
    memory: () => Promise.all(stores.map(async ([name, redis]) => [name, await readMemory(redis)] as const)),
    async ready() {
      await Promise.all(stores.map(([, redis]) => withReady(redis)));
    },
    async close(timeoutMs) {
      await Promise.all(stores.map(([, redis]) => closeRedis(redis, timeoutMs)));
    },
  };
}
