import { type SyncTicket, syncQueueName, type Vendor, videoQueueName } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { openWorker } from './open-worker.js';
import { isAbandoned, requeue } from './requeue.js';
import { Slots } from './slots.js';
import { ticketsOf } from './ticket-bundle.js';

/** This worker cannot run the ticket, but another one may. */
export type Requeued = 'requeue';

export interface SyncWorkerOptions {
  readonly url: string;
  readonly vendor: Vendor;
  readonly concurrency: number;
  /**
   * Runs one request. A stalled job may run it twice: the claim at the edge decides. The signal aborts when the worker must
   * stop, and not when a lock is lost: a response under way needs no Redis. `requeue` requeues the ticket for any worker.
   */
  readonly handle: (ticket: SyncTicket, signal: AbortSignal) => Promise<Requeued | undefined>;
  /** Receives connection errors, refused tickets and what `handle` throws. */
  readonly onError: (error: Error, requestId?: string) => void;
  /** A job of this queue lost its worker. Called in one of the queue's workers, whichever finds it first. */
  readonly onStalled?: () => void;
  readonly keys?: RedisKeys;
}

export interface SyncWorker {
  readonly vendor: Vendor;
  /** Number of running requests. */
  readonly active: number;
  /** Stops fetching. Running jobs continue, and a pending fetch may still start one. */
  pause(): Promise<void>;
  /** Waits up to `timeoutMs` for running jobs, then aborts them. Always resolves, also while Redis is away. */
  close(timeoutMs: number): Promise<void>;
  /** False only if the worker should fetch jobs and does not: only a restart helps. */
  isAlive(): boolean;
}

/** A ticket that this release cannot parse. The edge's timer ends its request. */
export class TicketRefusedError extends Error {
  constructor(problem: string) {
    super(`ticket refused: ${problem}`);
    this.name = 'TicketRefusedError';
  }
}

export const createSyncWorker = (options: SyncWorkerOptions): SyncWorker =>
  createTicketWorker(options, syncQueueName(options.vendor));

/** Handles the tickets of the vendor's video queue. */
export const createVideoWorker = (options: SyncWorkerOptions): SyncWorker =>
  createTicketWorker(options, videoQueueName(options.vendor));

function createTicketWorker(options: SyncWorkerOptions, name: string): SyncWorker {
  const { vendor, url, keys, concurrency, onError } = options;
  const slots = new Slots(concurrency);
  const stop = new AbortController();
  const handle = (ticket: SyncTicket) => slots.occupy(() => options.handle(ticket, stop.signal));
  const { worker, close, isAlive } = openWorker({ url, name, keys, concurrency, maxStalledCount: 1, onError }, (job) =>
    slots.runJob(async () => {
      const running = ticketsOf(job.data).map((ticket) => runTicket(ticket, handle));
      worker.concurrency = slots.maxJobs;
      const { requeued, failures } = await settleAll(running);
      const [failure] = failures;
      if (requeued.length === 0 && failure !== undefined) throw failure;
      if (failure instanceof Error) onError(failure, job.id);
      if (requeued.length > 0) await requeue(job, requeued);
    }),
  );
  worker.on('completed', () => {
    worker.concurrency = slots.maxJobs;
  });
  worker.on('failed', (job, error) => onError(error, job?.id));
  worker.on('stalled', () => options.onStalled?.());
  return {
    vendor,
    get active() {
      return slots.active;
    },
    pause: () => worker.pause(true),
    close: (timeoutMs) => close(timeoutMs, () => stop.abort(new Error('the worker is shutting down'))),
    isAlive: () => isAlive(slots),
  };
}

/** Resolves to the tickets to requeue: this one or none. */
async function runTicket(
  parsed: ReturnType<typeof ticketsOf>[number],
  handle: (ticket: SyncTicket) => Promise<Requeued | undefined>,
): Promise<readonly SyncTicket[]> {
  if (!parsed.success) throw new TicketRefusedError(parsed.error.message);
  const mustRequeue = (await handle(parsed.data)) === 'requeue';
  return mustRequeue && !isAbandoned(parsed.data) ? [parsed.data] : [];
}

interface Results {
  readonly requeued: readonly SyncTicket[];
  readonly failures: readonly unknown[];
}

/** A failed ticket does not stop the others of its job. */
async function settleAll(running: readonly Promise<readonly SyncTicket[]>[]): Promise<Results> {
  const results = await Promise.allSettled(running);
  return {
    requeued: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    failures: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
}
