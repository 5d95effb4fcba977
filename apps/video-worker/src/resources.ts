import { VENDORS, type Vendor } from '@gateway/contracts';
import { HttpPools } from '@gateway/http';
import { closeInOrder, type Logger, logOutages, type Metrics, serveProbesWhile } from '@gateway/observability';
import { type Database, openDatabase, openTaskStore } from '@gateway/postgres';
import {
  AdmissionStore,
  connectRedisPair,
  createPollQueue,
  openSettler,
  type PollQueue,
  PollRateLimiter,
  type RedisConnection,
  type RedisPair,
  type Settler,
} from '@gateway/redis';
import { RelayPool } from '@gateway/relay';
import { reportFaults, SessionThreads } from '@gateway/threads';
import type { Provider } from '@nestjs/common';
import {
  ADMISSION_STORE,
  DATABASE,
  HTTP_POOLS,
  POLL_QUEUES,
  POLL_RATE,
  QUEUE_REDIS,
  RELAY_POOL,
  SETTLER,
  TASK_STORE,
  THREADS,
  WEBHOOK_POOLS,
  WORKER_ID,
  type WorkerConfig,
} from './tokens.js';

const CLOSE_MS = 5_000;
/** One long submission delays only half of the others. */
const MAX_THREADS = 2;

/** The connections of this process to Redis, PostgreSQL, edges and upstreams. */
export class WorkerResources {
  // Seven members: one for each connection, which close in one order.
  private constructor(
    readonly providers: readonly Provider[],
    readonly redis: RedisPair,
    readonly database: Database,
    readonly settler: Settler,
    readonly pollQueues: ReadonlyMap<Vendor, PollQueue>,
    private readonly closers: readonly (() => Promise<unknown>)[],
    private readonly logger: Logger,
  ) {}

  static async open(
    config: WorkerConfig,
    workerId: string,
    { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  ): Promise<WorkerResources> {
    const logOutage = logOutages(logger);
    const logFailure = (peer: string) => (error: Error) => logOutage(peer, error);
    const redis = connectRedisPair(config, (error, store) => logFailure(store)(error));
    const { host, port } = config;
    await serveProbesWhile(redis.ready(), { host, port, checks: redis.checks, metrics });
    const database = openDatabase({
      databaseUrl: config.databaseUrl,
      poolSize: config.poolSize,
      applicationName: 'video-worker',
      onError: logFailure('postgres'),
    });
    const store = new AdmissionStore(redis.money);
    const settler = openSettler(store, config.spoolDirectory, logger);
    const relay = new RelayPool({ workerId, secret: config.relaySecret, onError: logFailure('relay') });
    // One connection for each concurrent request: a request that waits for a connection waits behind the others.
    const pools = new HttpPools({ connections: config.submitConcurrency + config.pollConcurrency });
    const webhookPools = new HttpPools({
      connections: config.webhooks.concurrency,
      allowedAddresses: config.webhooks.allowInsecure ? 'anywhere' : 'public',
      connectTimeoutMs: config.webhooks.timeoutMs,
    });
    const threads = new SessionThreads({
      file: new URL('./submission/in-thread/thread.js', import.meta.url),
      maxThreads: MAX_THREADS,
      onFault: reportFaults(metrics, logger),
    });
    const pollQueues = await openPollQueues(redis.queues);
    const providers: Provider[] = [
      { provide: WORKER_ID, useValue: workerId },
      { provide: QUEUE_REDIS, useValue: redis.queues },
      { provide: DATABASE, useValue: database },
      { provide: TASK_STORE, useValue: openTaskStore(database) },
      { provide: ADMISSION_STORE, useValue: store },
      { provide: SETTLER, useValue: settler },
      { provide: POLL_QUEUES, useValue: pollQueues },
      { provide: POLL_RATE, useValue: new PollRateLimiter(redis.queues) },
      { provide: RELAY_POOL, useValue: relay },
      { provide: THREADS, useValue: threads },
      { provide: HTTP_POOLS, useValue: pools },
      { provide: WEBHOOK_POOLS, useValue: webhookPools },
    ];
    const closers = [
      () => relay.close(),
      () => pools.close(),
      () => webhookPools.destroy(),
      () => threads.close(),
      ...[...pollQueues.values()].map((queue) => () => queue.close()),
      () => redis.close(CLOSE_MS),
      () => database.close(),
    ];
    return new WorkerResources(providers, redis, database, settler, pollQueues, closers, logger);
  }

  /** Drains settlements before it closes Redis, which they need. */
  async close(remainingMs: number): Promise<void> {
    const left = await this.settler.drain(remainingMs);
    if (left > 0) this.logger.error({ left }, 'settlements are left to the spool');
    await closeInOrder(this.closers, this.logger);
  }
}

/** Opens the queue of every vendor: a task needs poll jobs even if no worker serves its vendor. */
async function openPollQueues(redis: RedisConnection): Promise<ReadonlyMap<Vendor, PollQueue>> {
  return new Map(
    await Promise.all(VENDORS.map(async (vendor) => [vendor, await createPollQueue(redis, vendor)] as const)),
  );
}
