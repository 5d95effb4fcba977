import type { LocalRedisCluster } from './redis-cluster.mjs';

/** What `add` and `services` can start. */
export type ServiceName = 'upstream-simulator' | 'billing' | 'sync-worker' | 'video-worker' | 'api-edge' | 'mcp-server';

/** How a stopped process ended: `code 0`, `signal SIGKILL`; forced if it exceeded its grace period and was killed. */
export interface ProcessEnd {
  readonly exit: string;
  readonly isForced: boolean;
}

/** One running instance of a service. Its ports stay the same over restarts. */
export interface ServiceInstance {
  /** The service’s name; further instances are `sync-worker-2`, `sync-worker-3`, … */
  readonly name: string;
  readonly service: ServiceName;
  readonly url: string;
  /** By the name of the variable: `PORT`, and for the edge `RELAY_PORT`. */
  readonly ports: Readonly<Record<string, number>>;
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** Starts it and waits until `/readyz` succeeds. */
  start(): Promise<void>;
  /** SIGTERM, as a rollout sends it; kills it after `timeoutMs`. */
  stop(timeoutMs?: number): Promise<ProcessEnd>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Suspends it: its sockets stay open and it never responds, until `resume`. */
  suspend(): void;
  resume(): void;
  waitUntilReady(timeoutMs?: number): Promise<void>;
  /** Sets the build of its next start: the project at `root`, which may be another release. */
  useBuild(root: string): void;
  /** Sets additional variables for its next start. */
  useVariables(variables: Readonly<Record<string, string>>): void;
  /** The log of this run. */
  log(): string;
}

/** The stack’s own Redis, with an append-only file. */
export interface LocalRedis {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<ProcessEnd>;
  /** SIGKILL: up to the last second of writes may be lost. */
  kill(): Promise<void>;
  /** Suspends it, like a partition. */
  suspend(): void;
  resume(): void;
  /** FLUSHALL while it runs. */
  flush(): Promise<void>;
  /** Restarts it with an empty disk. */
  restartEmpty(): Promise<void>;
  /** Sends one inline command; returns the first line of the reply, such as `+PONG` or `:3`, or a bulk string. */
  command(text: string): Promise<string>;
}

export interface StackOptions {
  /** The PostgreSQL server for the stack’s own database; TEST_DATABASE_URL by default. */
  readonly databaseUrl?: string;
  /** False: uses the database at `databaseUrl` itself and does not drop it. */
  readonly ownsDatabase?: boolean;
  /** With its own database: services connect as in production, as a role that may append to the ledger only. */
  readonly restrictServices?: boolean;
  /** A Redis to use instead of its own. */
  readonly redisUrl?: string;
  /** A separate Redis for the queues. */
  readonly queueRedisUrl?: string;
  /** Starts a second Redis for the queues. */
  readonly hasQueueRedis?: boolean;
  /** Starts a cluster of three instead of one Redis, with a replica for the money’s node. */
  readonly hasRedisCluster?: boolean;
  /** Replaces the simulator with another emulator of the vendors. */
  readonly simulatorUrl?: string;
  /** The services to start, in order; all by default. A repeated name starts two instances. */
  readonly services?: readonly ServiceName[];
  /** Variables for every service. */
  readonly commonEnv?: Readonly<Record<string, string>>;
  /** Variables for all instances of one service. */
  readonly env?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;
  /** Called when a process ends unexpectedly. */
  readonly onUnexpectedExit?: (process: { readonly name: string; readonly lastExit: string; log(): string }) => void;
}

/** A whole running system on free ports. */
export interface Stack {
  /** The address of the first edge, without `/v1`. */
  readonly baseUrl: string;
  /** The address of the first MCP server; undefined where `services` lacks it. */
  readonly mcpUrl: string | undefined;
  readonly accountUrl: string;
  readonly adminToken: string;
  /** The demo account's key. */
  readonly apiKey: string;
  readonly simulatorUrl: string;
  readonly redisUrl: string;
  /** Undefined where the queues share the Redis of the money. */
  readonly queueRedisUrl: string | undefined;
  readonly databaseUrl: string;
  /** What the services share: `internalToken`, `relaySecret`, `adminToken`. */
  readonly secrets: Readonly<Record<'internalToken' | 'relaySecret' | 'adminToken', string>>;
  /** Undefined only with `redisUrl` or a cluster. */
  readonly redis: LocalRedis;
  /** Undefined without a cluster. */
  readonly redisCluster: LocalRedisCluster | undefined;
  /** Undefined without `hasQueueRedis`. */
  readonly queueRedis: LocalRedis | undefined;
  /** Throws without an instance of that name: `api-edge`, `sync-worker-2`, … */
  instance(name: string): ServiceInstance;
  /** Starts one more copy of a service. */
  add(service: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceInstance>;
  /** Stops every process and removes database and files. */
  stop(): Promise<void>;
}

/**
 * Starts a Redis and a database of its own, migrates and seeds, then starts the services on random free ports and
 * waits until each is ready. Everything is stopped again if one of them fails. The services must have been built.
 */
export function startStack(options?: StackOptions): Promise<Stack>;
