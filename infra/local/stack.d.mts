import type { LocalRedisCluster } from './redis-cluster.mjs';

/** What `add` and `services` can start. */
export type ServiceName = 'upstream-simulator' | 'billing' | 'sync-worker' | 'video-worker' | 'api-edge' | 'mcp-server';

/** How a stopped process ended: `code 0`, `signal SIGKILL`; forced if it outstayed its grace and was killed. */
export interface ProcessEnd {
  readonly exit: string;
  readonly isForced: boolean;
}

/** One running copy of a service. Its ports are its own and stay the same over restarts. */
export interface ServiceInstance {
  /** The service's name; further copies are `sync-worker-2`, `sync-worker-3`, … */
  readonly name: string;
  readonly service: ServiceName;
  readonly url: string;
  /** By the name of the variable: `PORT`, and for the edge `RELAY_PORT`. */
  readonly ports: Readonly<Record<string, number>>;
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** Starts it and waits until `/readyz` says yes. */
  start(): Promise<void>;
  /** SIGTERM, as a rollout sends it, and force after `timeoutMs`. */
  stop(timeoutMs?: number): Promise<ProcessEnd>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Freezes it: its sockets stay open and nothing is answered, until `resume`. */
  suspend(): void;
  resume(): void;
  waitUntilReady(timeoutMs?: number): Promise<void>;
  /** What it runs from its next start on: the build in the project at `root`, which may be of another release. */
  useBuild(root: string): void;
  /** What it is given from its next start on, besides what it was given before. */
  useVariables(variables: Readonly<Record<string, string>>): void;
  /** All that this run has written. */
  log(): string;
}

/** A Redis of the stack's own, with an append-only file. */
export interface LocalRedis {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<ProcessEnd>;
  /** SIGKILL: up to the last second of writes may be lost. */
  kill(): Promise<void>;
  /** Freezes it, as a partition does. */
  suspend(): void;
  resume(): void;
  /** FLUSHALL while it runs. */
  flush(): Promise<void>;
  /** Stops it and starts it with nothing on its disk. */
  restartEmpty(): Promise<void>;
  /** One command in inline form; gives back the first line of the answer, such as `+PONG` or `:3`, or the text that it is. */
  command(text: string): Promise<string>;
}

export interface StackOptions {
  /** A PostgreSQL in which the stack makes a database of its own; TEST_DATABASE_URL if not given. */
  readonly databaseUrl?: string;
  /** False: the database at `databaseUrl` itself is used, and kept. */
  readonly ownsDatabase?: boolean;
  /** In a database of its own: the services come as in production, as a role that may append to the books and not change them. */
  readonly restrictServices?: boolean;
  /** A Redis to use instead of an own one. */
  readonly redisUrl?: string;
  /** A Redis for the queues, apart from the other one. */
  readonly queueRedisUrl?: string;
  /** Starts one more Redis, for the queues. */
  readonly hasQueueRedis?: boolean;
  /** Starts a cluster of three in the place of one Redis, with a replica for the node that has the money. */
  readonly hasRedisCluster?: boolean;
  /** Something that answers as the vendors do; the simulator is then not started. */
  readonly simulatorUrl?: string;
  /** Which services to start, in order; all if not given. A name twice is two copies. */
  readonly services?: readonly ServiceName[];
  /** Variables for every service. */
  readonly commonEnv?: Readonly<Record<string, string>>;
  /** Variables for all copies of one service. */
  readonly env?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;
  /** Called when a process ends unexpectedly. */
  readonly onUnexpectedExit?: (process: { readonly name: string; readonly lastExit: string; log(): string }) => void;
}

/** A whole running system on free ports. */
export interface Stack {
  /** Of the first edge, without `/v1`. */
  readonly baseUrl: string;
  /** Of the first server of tools; undefined where `services` left it out. */
  readonly mcpUrl: string | undefined;
  readonly accountUrl: string;
  readonly adminToken: string;
  /** The demo account's key. */
  readonly apiKey: string;
  readonly simulatorUrl: string;
  readonly redisUrl: string;
  /** Undefined where the queues are in that one too. */
  readonly queueRedisUrl: string | undefined;
  readonly databaseUrl: string;
  /** What the services share: `internalToken`, `relaySecret`, `adminToken`. */
  readonly secrets: Readonly<Record<'internalToken' | 'relaySecret' | 'adminToken', string>>;
  /** Undefined only if `redisUrl` was given, or a cluster asked for. */
  readonly redis: LocalRedis;
  /** Undefined unless it was asked for. */
  readonly redisCluster: LocalRedisCluster | undefined;
  /** Undefined unless `hasQueueRedis` was said. */
  readonly queueRedis: LocalRedis | undefined;
  /** Throws if there is none of that name: `api-edge`, `sync-worker-2`, … */
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
