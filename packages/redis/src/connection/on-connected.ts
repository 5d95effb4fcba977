import type { RedisConnection } from './connect-redis.js';

/**
 * Calls `connected` after each connect of a server or a cluster's node: it may have lost its data. Returns an unsubscribe.
 */
export function onConnected(redis: RedisConnection, connected: () => void): () => void {
  const events = redis as NodeJS.EventEmitter;
  events.on('ready', connected);
  events.on('+node', connected);
  return () => {
    events.off('ready', connected);
    events.off('+node', connected);
  };
}
