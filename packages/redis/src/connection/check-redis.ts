import { redisKeys } from '../keys.js';
import type { RedisConnection } from './connect-redis.js';

const EXPIRES_MS = 60_000;

const write = (redis: RedisConnection, key: string): Promise<unknown> => redis.set(key, '1', 'PX', EXPIRES_MS);

/**
 * Rejects if Redis does not reply, or refuses writes: its disk or its memory is full, or it lacks replicas. It writes in
 * the slot of the money.
 */
export const checkRedis = (redis: RedisConnection): Promise<unknown> => write(redis, redisKeys().probe);

/** As `checkRedis`. In a cluster any node may reply: the queues are on all nodes, and one lost node must not stop all. */
export const checkQueueRedis = (redis: RedisConnection): Promise<unknown> =>
  redis.isCluster ? redis.ping() : write(redis, redisKeys().queueProbe);
