import { type SyncTicket, syncQueueName, type Vendor } from '@gateway/contracts';
import type { Job } from 'bullmq';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { settlesWithin } from '../connection/settles-within.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { FetchingWorker } from './fetching-worker.js';
import { isFetching } from './is-fetching.js';
import { ticketsOf } from './ticket-bundle.js';

export interface SyncWorkerOptions {
  readonly url: string;
  readonly vendor: Vendor;
  readonly concurrency: number;
  /**
   * Runs one request. It may be called twice for one request (a stalled job): the claim at the edge decides. The signal
   * fires when the worker must stop; a lost lock does not fire it, since an answer on its way needs no Redis.
   */
  readonly handle: (ticket: SyncTicket, signal: AbortSignal) => Promise<void>;
  /** Hears connection errors, refused tickets and what `handle` throws. */
  readonly onError: (error: Error, requestId?: string) => void;
  readonly keys?: RedisKeys;
}

export interface SyncWorker {
  readonly vendor: Vendor;
  /** Requests that are being handled. */
  readonly active: number;
  /** Asks for no more jobs; those that run go on, and an answer that is on its way may still bring one. */
  pause(): Promise<void>;
  /** Lets running jobs finish for `timeoutMs`, then aborts them. Always resolves, also while Redis is away. */
  close(timeoutMs: number): Promise<void>;
  /** False only if this worker should be fetching jobs and is not: the one case that a restart cures. */
  isAlive(): boolean;
}

/** A ticket that this release cannot read: its request is left to the edge's own timer. */
export class TicketRefusedError extends Error {
  constructor(problem: string) {
    super(`ticket refused: ${problem}`);
    this.name = 'TicketRefusedError';
  }
}

const ABORT_GRACE_MS = 1_000;

/** What is running, and since when there has been room for more. */
class Slots {
  active = 0;
  #jobs = 0;
  #roomSinceMs: number | null = Date.now();

  constructor(readonly size: number) {}

  /** Jobs that may run at once so that no more requests do than there are slots, a last bundle apart. */
  get jobsAtMost(): number {
    return Math.max(1, this.#jobs + this.size - this.active);
  }

  /** Counts a job of several requests as one; each request still takes a slot of its own. */
  async runJob(run: () => Promise<void>): Promise<void> {
    this.#jobs += 1;
    try {
      await run();
    } finally {
      this.#jobs -= 1;
    }
  }

  get roomSinceMs(): number | null {
    return this.#roomSinceMs;
  }

  async occupy(run: () => Promise<void>): Promise<void> {
    this.active += 1;
    if (this.active >= this.size) this.#roomSinceMs = null;
    try {
      await run();
    } finally {
      this.active -= 1;
      this.#roomSinceMs ??= Date.now();
    }
  }
}

export function createSyncWorker(options: SyncWorkerOptions): SyncWorker {
  const { vendor, onError } = options;
  const redis = connectRedis(options.url, 'worker', onError);
  const duplicates = trackDuplicates(redis);
  const connectedSince = trackConnection(redis);
  const slots = new Slots(options.concurrency);
  const stop = new AbortController();
  const handle = (ticket: SyncTicket) => slots.occupy(() => options.handle(ticket, stop.signal));
  const worker = openWorker(options, redis, (job) =>
    slots.runJob(async () => {
      const running = ticketsOf(job.data).map((ticket) => runTicket(ticket, handle));
      worker.concurrency = slots.jobsAtMost;
      await allEnded(running);
    }),
  );
  worker.on('completed', () => {
    worker.concurrency = slots.jobsAtMost;
  });
  worker.on('error', onError);
  worker.on('failed', (job, error) => onError(error, job?.id));

  async function close(timeoutMs: number): Promise<void> {
    const closed = worker.close();
    if (!(await settlesWithin(closed, timeoutMs))) {
      stop.abort(new Error('the worker is shutting down'));
      if (!(await settlesWithin(closed, ABORT_GRACE_MS))) await worker.abandon();
    }
    for (const connection of [redis, ...duplicates]) connection.disconnect();
  }

  return {
    vendor,
    get active() {
      return slots.active;
    },
    pause: () => worker.pause(true),
    close,
    isAlive: () =>
      isFetching({
        nowMs: Date.now(),
        lastFetchMs: worker.lastFetchMs,
        connectedSinceMs: connectedSince(),
        roomSinceMs: slots.roomSinceMs,
        isPaused: worker.isPaused() || worker.closing !== undefined,
      }),
  };
}

/** Locks and checks are short, so that a dead worker's requests are noticed in seconds; BullMQ's own default is a minute. */
function openWorker(
  options: SyncWorkerOptions,
  redis: RedisConnection,
  run: (job: Job<unknown, void>) => Promise<void>,
): FetchingWorker<unknown> {
  const name = syncQueueName(options.vendor);
  return new FetchingWorker<unknown>(name, run, redis, {
    prefix: (options.keys ?? redisKeys()).queuePrefix(name),
    concurrency: options.concurrency,
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: 1,
    drainDelay: 5,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
}

async function runTicket(
  parsed: ReturnType<typeof ticketsOf>[number],
  handle: (ticket: SyncTicket) => Promise<void>,
): Promise<void> {
  if (!parsed.success) throw new TicketRefusedError(parsed.error.message);
  await handle(parsed.data);
}

/** A ticket that fails does not end the others of its job; the job then fails with the first failure. */
async function allEnded(running: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(running)).find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** BullMQ makes its blocking connection by `duplicate` and may never give it back: close() must reach it itself. */
function trackDuplicates(redis: RedisConnection): readonly RedisConnection[] {
  const duplicates: RedisConnection[] = [];
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => {
    const copy = duplicate(override);
    duplicates.push(copy);
    return copy;
  };
  return duplicates;
}

function trackConnection(redis: RedisConnection): () => number | null {
  let sinceMs: number | null = null;
  redis.on('ready', () => {
    sinceMs = Date.now();
  });
  redis.on('close', () => {
    sinceMs = null;
  });
  return () => sinceMs;
}
