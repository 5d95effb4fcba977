import type { RedisConnection } from './connect-redis.js';

/** Calls whenever a Redis was connected anew, and may have come back without what it had: a server, or a node of a cluster. */
export function onConnected(redis: RedisConnection, connected: () => void): () => void {
  const events = redis as NodeJS.EventEmitter;
  events.on('ready', connected);
  events.on('+node', connected);
  return () => {
    events.off('ready', connected);
    events.off('+node', connected);
  };
}
