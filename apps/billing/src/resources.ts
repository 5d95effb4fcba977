import { hostname } from 'node:os';
import { type Logger, logOutages } from '@gateway/observability';
import { type Database, openDatabase } from '@gateway/postgres';
import {
  AdmissionStore,
  closeRedis,
  connectRedis,
  connectRedisPair,
  formerKeys,
  KeyCache,
  type RedisAddresses,
  type RedisConnection,
  type RedisKeys,
  type RedisPair,
  type RejectedUsage,
  redisKeys,
  UsageStream,
} from '@gateway/redis';

/** The connections of one billing process. */
export interface BillingResources {
  readonly database: Database;
  readonly redis: RedisConnection;
  /** The Redis that holds the queues. Billing only reads it. */
  readonly queueRedis: RedisConnection;
  /** Reads the memory usage of each Redis. */
  readonly redisMemory: RedisPair['memory'];
  readonly admissionStore: AdmissionStore;
  readonly usageStream: UsageStream;
  /** What releases with one slot for all money have left. */
  readonly former: { readonly store: AdmissionStore; readonly stream: UsageStream };
  readonly keyCache: KeyCache;
  readonly consumerName: string;
  readonly keys: RedisKeys;
  close(): Promise<void>;
}

export interface ResourceOptions extends RedisAddresses {
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly keys?: RedisKeys;
  readonly consumerName?: string;
}

const POOL_SIZE = 8;

/** Opens the connections. PostgreSQL and Redis may still be down: each connection retries by itself. */
export function openResources({ databaseUrl, logger, ...options }: ResourceOptions): BillingResources {
  const keys = options.keys ?? redisKeys();
  const log = logOutages(logger);
  const logOutage = (peer: string) => (error: Error) => log(peer, error);
  const database = openDatabase({
    databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'gateway-billing',
    onError: logOutage('postgres'),
  });
  const pair = connectRedisPair(options, (error, store) => logOutage(store)(error));
  const redis = pair.money;
  const blocking = connectRedis(options.redisUrl, 'blocking', logOutage('redis'));
  const onDead = ({ streamId, problem }: RejectedUsage) =>
    logger.error({ streamId, problem }, 'usage event rejected: cannot parse it');
  return {
    database,
    redis,
    queueRedis: pair.queues,
    redisMemory: pair.memory,
    admissionStore: new AdmissionStore(redis, { keys }),
    // A cluster is polled, and must fail fast.
    usageStream: new UsageStream(redis.isCluster ? redis : blocking, { keys, onDead }),
    former: {
      store: new AdmissionStore(redis, { keys: formerKeys(keys) }),
      stream: new UsageStream(redis, { keys: formerKeys(keys), onDead }),
    },
    keyCache: new KeyCache(redis, keys),
    keys,
    consumerName: options.consumerName ?? `${hostname()}-${process.pid}`,
    async close() {
      await Promise.all([pair.close(), closeRedis(blocking), database.close()]);
    },
  };
}
