import { redisKeys } from '../keys.js';
import { closeRedis } from './close-redis.js';
import { connectRedis, type RedisConnection } from './connect-redis.js';
import { type RedisMemory, readMemory } from './read-memory.js';
import { withReady } from './with-ready.js';

export interface RedisAddresses {
  readonly redisUrl: string;
  readonly queueRedisUrl: string;
}

/** Which Redis is meant: the one with money and limits, or the one with the queues where that is another one. */
export type RedisStore = 'redis' | 'queue-redis';

/**
 * The two Redis of a service, for short commands. Where one serves as both, one connection does: its commands then go
 * out together, and there is one Redis to be ready.
 */
export interface RedisPair {
  /** Limits, leases, holds and escrow, which one script decides on; kept answers and keys, which are judged by them. */
  readonly money: RedisConnection;
  /** Tickets, alarms, how often vendors are asked, hints of changed tasks: nothing that is not elsewhere too. */
  readonly queues: RedisConnection;
  /** What a service that needs both asks before it takes work. */
  readonly checks: readonly { readonly name: RedisStore; check(): Promise<unknown> }[];
  /** How full each is. */
  memory(): Promise<readonly (readonly [store: RedisStore, memory: RedisMemory])[]>;
  /** Resolves as soon as both can be used. */
  ready(signal?: AbortSignal): Promise<void>;
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
      // The money is on one node of a cluster, and that one must answer; of the queues' nodes any, or all vendors fail with one.
      check: () => (name === 'redis' ? redis.exists(redisKeys().epoch) : redis.ping()),
    })),
    memory: () => Promise.all(stores.map(async ([name, redis]) => [name, await readMemory(redis)] as const)),
    async ready(signal) {
      await Promise.all(stores.map(([, redis]) => withReady(redis, signal)));
    },
    async close(timeoutMs) {
      await Promise.all(stores.map(([, redis]) => closeRedis(redis, timeoutMs)));
    },
  };
}
