import type { RedisOptions } from 'ioredis';

/**
 * `commands`: short commands on a request's path; they fail at once while Redis is away. `worker` and `blocking`:
 * connections that wait for work; their commands survive an outage.
 */
export type RedisRole = 'commands' | 'worker' | 'blocking';

/** The longest a command may block on a `blocking` connection: silence beyond `socketTimeout` counts as a dead peer. */
export const LONGEST_BLOCK_MS = 10_000;

const LONGEST_RETRY_DELAY_MS = 1_000;

/** How long is waited before the next try to connect: a Redis that is back is found within a second. */
export const retryDelayMs = (attempt: number): number => Math.min(50 * attempt, LONGEST_RETRY_DELAY_MS);

const common = {
  // The replies of version 2 are what BullMQ and this package were tested with.
  protocol: 2,
  connectTimeout: 5_000,
  // How long a socket that was cut is waited for. Also one that was gone before, and a process does not end meanwhile.
  disconnectTimeout: 500,
} satisfies RedisOptions;

const waiting = { ...common, maxRetriesPerRequest: null, socketTimeout: 2 * LONGEST_BLOCK_MS } satisfies RedisOptions;

/** What a connection to one server is like, whether it is the only one or a node of a cluster. */
export const SOCKET_OPTIONS = {
  commands: {
    ...common,
    maxRetriesPerRequest: 1,
    socketTimeout: 5_000,
    // A Redis that takes connections and answers nothing: without this, what is under way waits as long as it hangs.
    commandTimeout: 3_000,
  },
  worker: waiting,
  blocking: waiting,
} satisfies Record<RedisRole, RedisOptions>;

/** What besides holds for a server that is the only one: it is waited for, where a cluster's node is looked for elsewhere. */
export const serverOptions = (role: RedisRole) =>
  ({
    ...SOCKET_OPTIONS[role],
    enableOfflineQueue: role !== 'commands',
    retryStrategy: retryDelayMs,
    // A demoted primary refuses writes: reconnect to the new one and send the refused command again.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
  }) satisfies RedisOptions;
