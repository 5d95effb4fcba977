import type { LocalRedisCluster } from './redis-cluster.mjs';

/** The services that `add` and `services` accept. */
export type ServiceName =
  | 'upstream-simulator'
  | 'billing'
  | 'accounts'
  | 'sync-worker'
  | 'video-worker'
  | 'api-edge'
  | 'batch-worker'
  | 'mcp-server';

/** The exit of a stopped process: `code 0`, `signal SIGKILL`. It is forced if the process exceeded its grace time. */
export interface ProcessEnd {
  readonly exit: string;
  readonly isForced: boolean;
}

/** One copy of a service. Its ports stay the same over restarts. */
export interface ServiceInstance {
  /** The service's name. Further copies are `sync-worker-2`, `sync-worker-3`, … */
  readonly name: string;
  readonly service: ServiceName;
  readonly url: string;
  /** By variable: `PORT`, and `RELAY_PORT` of the edge. */
  readonly ports: Readonly<Record<string, number>>;
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** Starts the process and waits until `/readyz` returns 200. */
  start(): Promise<void>;
  /** Sends SIGTERM like a rollout, and SIGKILL after `timeoutMs`. */
  stop(timeoutMs?: number): Promise<ProcessEnd>;
  /** Sends SIGKILL. Resolves when the process has exited. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Freezes the process until `resume`: its sockets stay open, and it sends nothing. */
  suspend(): void;
  resume(): void;
  waitUntilReady(timeoutMs?: number): Promise<void>;
  /** From the next start on, runs the build in the project at `root`, which may be another release. */
  useBuild(root: string): void;
  /** From the next start on, adds these environment variables. */
  useVariables(variables: Readonly<Record<string, string>>): void;
  /** Returns the log of the current run. */
  log(): string;
}

/** A Redis server of the stack, with an append-only file. */
export interface LocalRedis {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<ProcessEnd>;
  /** Sends SIGKILL. The last second of writes may be lost. */
  kill(): Promise<void>;
  /** Freezes the server, like a network partition. */
  suspend(): void;
  resume(): void;
  /** Sends FLUSHALL. */
  flush(): Promise<void>;
  /** Stops the server, deletes its files, and starts it again. */
  restartEmpty(): Promise<void>;
  /** Sends one inline command. Returns the first line of the reply, such as `+PONG` or `:3`, or the bulk string. */
  command(text: string): Promise<string>;
}

export interface StackOptions {
  /** A PostgreSQL server, on which the stack creates its own database. Default: TEST_DATABASE_URL. */
  readonly databaseUrl?: string;
  /** False: the stack uses the database at `databaseUrl` itself and does not drop it. */
  readonly ownsDatabase?: boolean;
  /** The migrated database that the stack's own one is a copy of. Default: TEST_DATABASE_TEMPLATE, else it migrates. */
  readonly databaseTemplate?: string;
  /** Services connect as in production: a role that may only append to the ledger, and one of `accounts` that only reads it. Needs `ownsDatabase`. */
  readonly restrictServices?: boolean;
  /** A Redis to use instead of starting one. */
  readonly redisUrl?: string;
  /** A separate Redis for the queues. */
  readonly queueRedisUrl?: string;
  /** Starts a separate Redis for the queues. */
  readonly hasQueueRedis?: boolean;
  /** Starts a Redis cluster of three masters. The one that owns the balances has a replica. */
  readonly hasRedisCluster?: boolean;
  /** A server that emulates the vendors. The stack then starts no simulator. */
  readonly simulatorUrl?: string;
  /** Services to start, in order. Default: all. A repeated name starts a second copy. */
  readonly services?: readonly ServiceName[];
  /** Variables for every service. */
  readonly commonEnv?: Readonly<Record<string, string>>;
  /** Variables for all instances of one service. */
  readonly env?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;
  /** Called when a process exits unexpectedly. */
  readonly onUnexpectedExit?: (process: { readonly name: string; readonly lastExit: string; log(): string }) => void;
}

/** A running system on free ports. */
export interface Stack {
  /** The first edge, without `/v1`. */
  readonly baseUrl: string;
  /** The first mcp-server. Undefined if `services` omits it. */
  readonly mcpUrl: string | undefined;
  readonly accountUrl: string;
  /** For our own services. */
  readonly billingUrl: string;
  readonly adminToken: string;
  readonly simulatorUrl: string;
  readonly redisUrl: string;
  /** Undefined if the queues share `redisUrl`. */
  readonly queueRedisUrl: string | undefined;
  readonly databaseUrl: string;
  /** Secrets that services share. */
  readonly secrets: Readonly<Record<'internalToken' | 'ledgerToken' | 'relaySecret' | 'adminToken', string>>;
  /** Undefined only with `redisUrl` or `hasRedisCluster`. */
  readonly redis: LocalRedis;
  /** Undefined without `hasRedisCluster`. */
  readonly redisCluster: LocalRedisCluster | undefined;
  /** Undefined without `hasQueueRedis`. */
  readonly queueRedis: LocalRedis | undefined;
  /** Returns an instance by name: `api-edge`, `sync-worker-2`, … Throws if it does not exist. */
  instance(name: string): ServiceInstance;
  /** Starts another copy of a service. */
  add(service: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceInstance>;
  /** Stops every process and deletes the database and the files. */
  stop(): Promise<void>;
}

/**
 * Creates its own Redis and database, migrates and seeds, then starts the services on random free ports and waits until
 * each is ready. If one fails, everything stops. Build the services first.
 */
export function startStack(options?: StackOptions): Promise<Stack>;
