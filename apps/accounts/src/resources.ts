import { HttpPools, INTERNAL_SERVICES } from '@gateway/http';
import { type Logger, logOutages } from '@gateway/observability';
import { type Database, openDatabase } from '@gateway/postgres';
import {
  AdmissionStore,
  BookedRequestsFeed,
  connectRedisPair,
  KeyCache,
  openQueueReader,
  type QueueReader,
  type RedisAddresses,
  type RedisConnection,
  type RedisKeys,
  redisKeys,
} from '@gateway/redis';

/** The connections of one process. */
export interface AccountsResources {
  readonly database: Database;
  readonly redis: RedisConnection;
  /** The Redis that holds the queues, for the board. */
  readonly queueRedis: RedisConnection;
  /** Depths of the queues. */
  readonly queues: QueueReader;
  readonly admissionStore: AdmissionStore;
  readonly keyCache: KeyCache;
  readonly keys: RedisKeys;
  /** For requests to billing. */
  readonly pools: HttpPools;
  readonly bookedRequests: BookedRequestsFeed;
  close(): Promise<void>;
}

export interface ResourceOptions extends RedisAddresses {
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly keys?: RedisKeys;
}

const POOL_SIZE = 8;

/** Opens the connections. PostgreSQL and Redis may still be down: each connection retries by itself. */
export function openResources({ databaseUrl, logger, ...options }: ResourceOptions): AccountsResources {
  const keys = options.keys ?? redisKeys();
  const log = logOutages(logger);
  const database = openDatabase({
    databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'gateway-accounts',
    onError: (error) => log('postgres', error),
  });
  const pair = connectRedisPair(options, (error, store) => log(store, error));
  const pools = new HttpPools(INTERNAL_SERVICES);
  const bookedRequests = new BookedRequestsFeed({
    url: options.redisUrl,
    keys,
    onError: (error) => log('redis', error),
  });
  const queues = openQueueReader(pair.queues, keys);
  return {
    database,
    redis: pair.money,
    queueRedis: pair.queues,
    queues,
    admissionStore: new AdmissionStore(pair.money, { keys }),
    keyCache: new KeyCache(pair.money, keys),
    keys,
    pools,
    bookedRequests,
    async close() {
      bookedRequests.close();
      await queues.close();
      await Promise.all([pair.close(), database.close(), pools.close()]);
    },
  };
}
