import type { RedisConnection } from './connect-redis.js';
import { settlesWithin } from './settles-within.js';

/** Lets the commands on their way finish, but for `timeoutMs` at most: with Redis away there is nothing to wait for. */
export async function closeRedis(redis: RedisConnection, timeoutMs = 1_000): Promise<void> {
  if (redis.status === 'ready') await settlesWithin(redis.quit(), timeoutMs);
  if (redis.status !== 'end') redis.disconnect();
}
