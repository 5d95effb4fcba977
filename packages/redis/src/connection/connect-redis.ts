import { Redis, type RedisOptions } from 'ioredis';
import { CorkedRedis } from './corked-redis.js';

/**
 * `commands`: short commands on a request's path; they fail at once while Redis is away. `worker` and `blocking`:
 * connections that wait for work; their commands survive an outage.
 */
export type RedisRole = 'commands' | 'worker' | 'blocking';

export type RedisConnection = Redis;

const LONGEST_RETRY_DELAY_MS = 1_000;

/** The longest a command may block on a `blocking` connection: silence beyond `socketTimeout` counts as a dead peer. */
export const LONGEST_BLOCK_MS = 10_000;

const common = {
  // The replies of version 2 are what BullMQ and this package were tested with.
  protocol: 2,
  connectTimeout: 5_000,
  // How long a socket that was cut is waited for. Also one that was gone before, and a process does not end meanwhile.
  disconnectTimeout: 500,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, LONGEST_RETRY_DELAY_MS),
  // A demoted primary refuses writes: reconnect to the new one and send the refused command again.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
} satisfies RedisOptions;

const waiting = {
  ...common,
  maxRetriesPerRequest: null,
  socketTimeout: 2 * LONGEST_BLOCK_MS,
} satisfies RedisOptions;

const ROLES = {
  commands: {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    socketTimeout: 5_000,
    // A Redis that takes connections and answers nothing: without this, what is under way waits as long as it hangs.
    commandTimeout: 3_000,
  },
  worker: waiting,
  blocking: waiting,
} satisfies Record<RedisRole, RedisOptions>;

/** Connects in the background and reconnects for ever; `onError` hears every connection error. */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): RedisConnection {
  const redis = role === 'blocking' ? new Redis(url, ROLES[role]) : new CorkedRedis(url, ROLES[role]);
  redis.on('error', onError);
  return redis;
}
