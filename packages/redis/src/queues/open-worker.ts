import { withTimeout } from '@gateway/observability';
import type { Job } from 'bullmq';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { redisTimeMs } from '../connection/redis-time.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { type Fetching, FetchingWorker } from './fetching-worker.js';
import { isFetching } from './is-fetching.js';
import type { Slots } from './slots.js';

export interface OpenWorkerOptions {
  readonly url: string;
  readonly name: string;
  readonly keys?: RedisKeys | undefined;
  readonly fetching: Fetching;
  /** The lock of a job whose worker has died ends after this time. */
  readonly lockMs?: number;
  /** How often the workers of a queue look for such jobs. A job is found by the second check after its lock ended. */
  readonly stalledCheckMs?: number;
  /** How often a job may lose its worker before it fails. */
  readonly maxStalledCount: number;
  readonly onError: (error: Error, jobId?: string) => void;
}

export interface OpenedWorker {
  readonly worker: FetchingWorker<unknown>;
  /** Waits up to `timeoutMs` for running jobs, then calls `abort`. Always resolves, also while Redis is away. */
  close(timeoutMs: number, abort: () => void): Promise<void>;
  /** False only if the worker should fetch jobs and does not: only a restart helps. */
  isAlive(slots: Pick<Slots, 'roomSinceMs' | 'lastChangeMs'>): boolean;
  /** The clock of Redis, in Unix milliseconds. */
  now(): Promise<number>;
}

/** How long aborted work may take to end. */
export const ABORT_GRACE_MS = 1_000;

/** The fetching side of a queue, on separate connections. */
export function openWorker(options: OpenWorkerOptions, run: (job: Job<unknown, void>) => Promise<void>): OpenedWorker {
  const redis = connectRedis(options.url, 'worker', options.onError);
  const duplicates = trackDuplicates(redis);
  const connectedSince = trackConnection(redis);
  const worker = fetchingWorker(options, redis, run);
  worker.on('error', options.onError);

  async function close(timeoutMs: number, abort: () => void): Promise<void> {
    const closed = worker.close().then(
      () => true,
      () => true,
    );
    if (!(await withTimeout(closed, timeoutMs, () => false))) {
      abort();
      if (!(await withTimeout(closed, ABORT_GRACE_MS, () => false))) await worker.abandon();
    }
    for (const connection of [redis, ...duplicates]) connection.disconnect();
  }

  return {
    worker,
    close,
    now: () => redisTimeMs(redis),
    isAlive: ({ roomSinceMs, lastChangeMs }) =>
      isFetching({
        nowMs: performance.now(),
        lastFetchMs: worker.lastFetchMs,
        connectedSinceMs: connectedSince(),
        roomSinceMs,
        lastChangeMs,
        isPaused: worker.isPaused() || worker.closing !== undefined,
      }),
  };
}

/** Short locks and checks find a dead worker's jobs within seconds; BullMQ's defaults take a minute. */
const DEFAULT_RECOVERY = { lockMs: 10_000, stalledCheckMs: 5_000 } as const;

function fetchingWorker(
  { name, keys = redisKeys(), fetching, maxStalledCount, ...recovery }: OpenWorkerOptions,
  redis: RedisConnection,
  run: (job: Job<unknown, void>) => Promise<void>,
): FetchingWorker<unknown> {
  const { lockMs = DEFAULT_RECOVERY.lockMs, stalledCheckMs = DEFAULT_RECOVERY.stalledCheckMs } = recovery;
  return new FetchingWorker<unknown>(name, run, redis, fetching, {
    prefix: keys.queuePrefix(name),
    lockDuration: lockMs,
    stalledInterval: stalledCheckMs,
    maxStalledCount,
    drainDelay: 10,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
}

/** BullMQ opens its blocking connection with `duplicate` and may never close it, so `close` disconnects it here. */
function trackDuplicates(redis: RedisConnection): readonly RedisConnection[] {
  const duplicates: RedisConnection[] = [];
  const duplicate = redis.duplicate.bind(redis) as (...options: unknown[]) => RedisConnection;
  Object.assign(redis, {
    duplicate(...options: unknown[]) {
      const copy = duplicate(...options);
      duplicates.push(copy);
      return copy;
    },
  });
  return duplicates;
}

/** A cluster stays connected while a node is away, so a lost or found node also restarts the time. */
const CONNECTION_EVENTS = ['ready', '+node', '-node', 'node error'];

function trackConnection(redis: RedisConnection): () => number | null {
  let sinceMs: number | null = null;
  const events = redis as NodeJS.EventEmitter;
  for (const event of CONNECTION_EVENTS) {
    events.on(event, () => {
      sinceMs = performance.now();
    });
  }
  events.on('close', () => {
    sinceMs = null;
  });
  return () => sinceMs;
}
