import { withTimeout } from '@gateway/observability';
import type { RedisConnection } from './connect-redis.js';

/** Waits up to `timeoutMs` for commands under way. Never rejects, also while Redis is away. */
export async function closeRedis(redis: RedisConnection, timeoutMs = 1_000): Promise<void> {
  if (redis.status === 'ready') {
    await withTimeout(redis.quit(), timeoutMs, () => undefined).catch(() => undefined);
  }
  if (redis.status !== 'end') redis.disconnect();
}
