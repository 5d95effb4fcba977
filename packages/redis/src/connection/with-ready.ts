import type { RedisConnection } from './connect-redis.js';

/**
 * Resolves with the connection as soon as it can be used, however long Redis stays away: a service starts, says that it
 * is not ready, and waits here. The signal ends the wait with its own reason.
 */
export function withReady(redis: RedisConnection, signal?: AbortSignal): Promise<RedisConnection> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      redis.off('ready', onReady);
      redis.off('end', onEnd);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const onReady = () => settle(() => resolve(redis));
    const onEnd = () => settle(() => reject(new Error('this Redis connection has been closed')));
    const onAbort = () => settle(() => reject(signal?.reason));
    if (signal?.aborted) return onAbort();
    if (redis.status === 'ready') return onReady();
    if (redis.status === 'end') return onEnd();
    redis.on('ready', onReady);
    redis.on('end', onEnd);
    signal?.addEventListener('abort', onAbort);
  });
}
