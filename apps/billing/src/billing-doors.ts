import { hostname } from 'node:os';
import { LogThrottle } from '@gateway/observability';
import { type Database, openDatabase } from '@gateway/postgres';
import {
  AdmissionStore,
  closeRedis,
  connectRedis,
  connectRedisPair,
  KeyCache,
  type RedisAddresses,
  type RedisConnection,
  type RedisKeys,
  type RedisPair,
  type RejectedUsage,
  redisKeys,
  UsageStream,
} from '@gateway/redis';
import type { Logger } from './observability-door.js';

/** Injection tokens of what this service is given from outside. */
export const DATABASE = Symbol('Database');
export const REDIS = Symbol('Redis');
/** The names in it. */
export const REDIS_KEYS = Symbol('RedisKeys');
export const ADMISSION_STORE = Symbol('AdmissionStore');
export const USAGE_STREAM = Symbol('UsageStream');
/** The same stream on a connection that never waits, for looking at its lengths. */
export const USAGE_LENGTHS = Symbol('UsageLengths');
export const KEY_CACHE = Symbol('KeyCache');
/** The name under which this process takes usage events. */
export const CONSUMER_NAME = Symbol('ConsumerName');

export interface BillingDoors {
  readonly database: Database;
  readonly redis: RedisConnection;
  /** Where the queues are: only to look at them. */
  readonly queueRedis: RedisConnection;
  /** How full each Redis is. */
  readonly redisMemory: RedisPair['memory'];
  readonly admissionStore: AdmissionStore;
  readonly usageStream: UsageStream;
  readonly usageLengths: UsageStream;
  readonly keyCache: KeyCache;
  readonly consumerName: string;
  /** The names in Redis. */
  readonly keys: RedisKeys;
  close(): Promise<void>;
}

export interface DoorOptions extends RedisAddresses {
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly keys?: RedisKeys;
  readonly consumerName?: string;
}

const POOL_SIZE = 8;

/** Opens the stores; none of them has to be there yet. */
export function openDoors({ databaseUrl, logger, ...options }: DoorOptions): BillingDoors {
  const keys = options.keys ?? redisKeys();
  const seldom = new LogThrottle();
  const hear = (store: string) => (error: Error) => {
    const problem = error.message;
    seldom.log(`${store} ${problem}`, () => logger.warn({ store, problem }, 'store is away'));
  };
  const database = openDatabase({
    databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'gateway-billing',
    onError: hear('postgres'),
  });
  const pair = connectRedisPair(options, (error, store) => hear(store)(error));
  const redis = pair.money;
  const blocking = connectRedis(options.redisUrl, 'blocking', hear('redis'));
  const onDead = ({ streamId, problem }: RejectedUsage) =>
    logger.error({ streamId, problem }, 'a usage event cannot be read');
  return {
    database,
    redis,
    queueRedis: pair.queues,
    redisMemory: pair.memory,
    admissionStore: new AdmissionStore(redis, { keys }),
    usageStream: new UsageStream(blocking, { keys, onDead }),
    usageLengths: new UsageStream(redis, { keys, onDead }),
    keyCache: new KeyCache(redis, keys),
    keys,
    consumerName: options.consumerName ?? `${hostname()}-${process.pid}`,
    async close() {
      await Promise.all([pair.close(), closeRedis(blocking), database.close()]);
    },
  };
}
