import type { Job } from 'bullmq';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { settlesWithin } from '../connection/settles-within.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { FetchingWorker } from './fetching-worker.js';
import { isFetching } from './is-fetching.js';
import type { Slots } from './slots.js';

export interface OpenWorkerOptions {
  readonly url: string;
  readonly name: string;
  readonly keys?: RedisKeys | undefined;
  readonly concurrency: number;
  /** How often a job may outlive its worker before it is given up. */
  readonly maxStalledCount: number;
  readonly onError: (error: Error, jobId?: string) => void;
}

export interface OpenedWorker {
  readonly worker: FetchingWorker<unknown>;
  /** Lets running jobs finish for `timeoutMs`, then calls `abort`. Always resolves, also while Redis is away. */
  close(timeoutMs: number, abort: () => void): Promise<void>;
  /** False only if it should be fetching jobs and is not: the one case that a restart cures. */
  isAlive(slots: Pick<Slots, 'roomSinceMs' | 'lastChangeMs'>): boolean;
}

const ABORT_GRACE_MS = 1_000;

/** The taking side of a queue, on connections of its own. */
export function openWorker(options: OpenWorkerOptions, run: (job: Job<unknown, void>) => Promise<void>): OpenedWorker {
  const redis = connectRedis(options.url, 'worker', options.onError);
  const duplicates = trackDuplicates(redis);
  const connectedSince = trackConnection(redis);
  const worker = fetchingWorker(options, redis, run);
  worker.on('error', options.onError);

  async function close(timeoutMs: number, abort: () => void): Promise<void> {
    const closed = worker.close();
    if (!(await settlesWithin(closed, timeoutMs))) {
      abort();
      if (!(await settlesWithin(closed, ABORT_GRACE_MS))) await worker.abandon();
    }
    for (const connection of [redis, ...duplicates]) connection.disconnect();
  }

  return {
    worker,
    close,
    isAlive: ({ roomSinceMs, lastChangeMs }) =>
      isFetching({
        nowMs: Date.now(),
        lastFetchMs: worker.lastFetchMs,
        connectedSinceMs: connectedSince(),
        roomSinceMs,
        lastChangeMs,
        isPaused: worker.isPaused() || worker.closing !== undefined,
      }),
  };
}

/** Locks and checks are short, so that a dead worker's jobs are noticed in seconds; BullMQ's own default is a minute. */
function fetchingWorker(
  { name, keys = redisKeys(), concurrency, maxStalledCount }: OpenWorkerOptions,
  redis: RedisConnection,
  run: (job: Job<unknown, void>) => Promise<void>,
): FetchingWorker<unknown> {
  return new FetchingWorker<unknown>(name, run, redis, {
    prefix: keys.queuePrefix(name),
    concurrency,
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount,
    drainDelay: 5,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
}

/** BullMQ makes its blocking connection by `duplicate` and may never give it back: close() must reach it itself. */
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

/** A cluster stays connected while one of its nodes is away; that it has just lost or found one is told apart. */
const CHANGES = ['ready', '+node', '-node', 'node error'];

function trackConnection(redis: RedisConnection): () => number | null {
  let sinceMs: number | null = null;
  const events = redis as NodeJS.EventEmitter;
  for (const change of CHANGES) {
    events.on(change, () => {
      sinceMs = Date.now();
    });
  }
  events.on('close', () => {
    sinceMs = null;
  });
  return () => sinceMs;
}
