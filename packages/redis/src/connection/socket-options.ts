import type { RedisOptions } from 'ioredis';

/**
 * `commands`: short commands of requests; they fail at once while Redis is away. `worker` and `blocking`: connections that
 * wait for work; their commands survive an outage.
 */
export type RedisRole = 'commands' | 'worker' | 'blocking';

/** Maximum BLOCK of a command on a `blocking` connection: it must end before `socketTimeout`. */
export const MAX_BLOCK_MS = 10_000;

const MAX_RETRY_DELAY_MS = 1_000;

/** Delay before the next connect: a restarted Redis is found within a second. */
export const retryDelayMs = (attempt: number): number => Math.min(50 * attempt, MAX_RETRY_DELAY_MS);

const common = {
  // BullMQ and this package are tested with RESP2 replies.
  protocol: 2,
  connectTimeout: 5_000,
  // How long a disconnect waits for its socket, even a dead one. The process stays alive meanwhile.
  disconnectTimeout: 500,
} satisfies RedisOptions;

const waiting = { ...common, maxRetriesPerRequest: null, socketTimeout: 2 * MAX_BLOCK_MS } satisfies RedisOptions;

/** Options of each socket, to a single server or to a cluster's node. */
export const SOCKET_OPTIONS = {
  commands: {
    ...common,
    maxRetriesPerRequest: 1,
    socketTimeout: 5_000,
    // Bounds commands to a Redis that accepts connections and does not reply.
    commandTimeout: 3_000,
  },
  worker: waiting,
  blocking: waiting,
} satisfies Record<RedisRole, RedisOptions>;

/** Options of a connection to a single server. It reconnects to the same address, unlike a cluster. */
export const serverOptions = (role: RedisRole) =>
  ({
    ...SOCKET_OPTIONS[role],
    enableOfflineQueue: role !== 'commands',
    retryStrategy: retryDelayMs,
    // A demoted primary refuses writes: 2 reconnects and sends the refused command again.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
  }) satisfies RedisOptions;
