import { redisKeys } from '../keys.js';
import type { RedisConnection } from './connect-redis.js';

const EXPIRES_MS = 60_000;

const write = (redis: RedisConnection, key: string): Promise<unknown> => redis.set(key, '1', 'PX', EXPIRES_MS);

/**
 * Rejects if Redis does not reply, or refuses writes: its disk or its memory is full, or it lacks replicas. Of a cluster
 * one node must take a write, because a lost node stops its own accounts only.
 */
export function checkRedis(redis: RedisConnection): Promise<unknown> {
  const { probes } = redisKeys();
  return redis.isCluster ? Promise.any(probes.map((probe) => write(redis, probe))) : write(redis, probes[0] as string);
}

/** As `checkRedis`. In a cluster any node may reply: the queues are on all nodes, and one lost node must not stop all. */
export const checkQueueRedis = (redis: RedisConnection): Promise<unknown> =>
  redis.isCluster ? redis.ping() : write(redis, redisKeys().queueProbe);
