import { type SyncTicket, syncQueueName, type Vendor, videoQueueName } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { handBack, isGivenUp } from './hand-back.js';
import { openWorker } from './open-worker.js';
import { Slots } from './slots.js';
import { ticketsOf } from './ticket-bundle.js';

export type Requeued = 'handed back';

export interface SyncWorkerOptions {
  readonly url: string;
  readonly vendor: Vendor;
  readonly concurrency: number;
  /**
   * Runs one request. It may be called twice for one request (a stalled job): the claim at the edge decides. The signal
   * fires when the worker must stop; a lost lock does not fire it, since an answer on its way needs no Redis.
   * A ticket that this worker cannot run and another may is `handed back`: it waits a moment, whoever comes first has it.
   */
  readonly handle: (ticket: SyncTicket, signal: AbortSignal) => Promise<Requeued | undefined>;
  /** Hears connection errors, refused tickets and what `handle` throws. */
  readonly onError: (error: Error, requestId?: string) => void;
  /** A job of this queue was taken from a worker that died or stood still; whichever copy notices it first hears of it. */
  readonly onStalled?: () => void;
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

export const createSyncWorker = (options: SyncWorkerOptions): SyncWorker =>
  createTicketWorker(options, syncQueueName(options.vendor));

/** The same for tickets that ask for videos. */
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
      worker.concurrency = slots.jobsAtMost;
      const { handedBack, failures } = await allEnded(running);
      const [failure] = failures;
      if (handedBack.length === 0 && failure !== undefined) throw failure;
      if (failure instanceof Error) onError(failure, job.id);
      if (handedBack.length > 0) await handBack(job, handedBack);
    }),
  );
  worker.on('completed', () => {
    worker.concurrency = slots.jobsAtMost;
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

async function runTicket(
  parsed: ReturnType<typeof ticketsOf>[number],
  handle: (ticket: SyncTicket) => Promise<Requeued | undefined>,
): Promise<readonly SyncTicket[]> {
  if (!parsed.success) throw new TicketRefusedError(parsed.error.message);
  const isHandedBack = (await handle(parsed.data)) === 'handed back';
  return isHandedBack && !isGivenUp(parsed.data) ? [parsed.data] : [];
}

interface Ends {
  readonly handedBack: readonly SyncTicket[];
  readonly failures: readonly unknown[];
}

/** A ticket that fails does not end the others of its job. */
async function allEnded(running: readonly Promise<readonly SyncTicket[]>[]): Promise<Ends> {
  const ends = await Promise.allSettled(running);
  return {
    handedBack: ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : [])),
    failures: ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])),
  };
}
