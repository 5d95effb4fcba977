import type { RedisConnection } from './connect-redis.js';

/** The clock of Redis, which all services share, in Unix milliseconds. Of a cluster, that of any node. */
export async function redisTimeMs(redis: RedisConnection): Promise<number> {
  const [seconds = 0, microseconds = 0] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
