import type { RedisConnection } from './connect-redis.js';

/**
 * Resolves with the connection once it is ready, however long Redis is away. A starting service reports that it is not
 * ready and waits here. Rejects if the connection is closed.
 */
export function withReady(redis: RedisConnection): Promise<RedisConnection> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      redis.off('ready', onReady);
      redis.off('end', onEnd);
      finish();
    };
    const onReady = () => settle(() => resolve(redis));
    const onEnd = () => settle(() => reject(new Error('the Redis connection was closed')));
    if (redis.status === 'ready') return onReady();
    if (redis.status === 'end') return onEnd();
    redis.on('ready', onReady);
    redis.on('end', onEnd);
  });
}
