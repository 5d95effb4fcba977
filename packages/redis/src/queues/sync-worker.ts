import { type TicketQueueKind, ticketQueueName, type Vendor } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import type { FairSlots } from './fair-slots.js';
import { ABORT_GRACE_MS, openWorker } from './open-worker.js';
import { TicketRunner, type TicketRunnerOptions } from './ticket-runner.js';

export { TicketRefusedError } from './ticket-runner.js';

export interface SyncWorkerOptions extends TicketRunnerOptions {
  readonly url: string;
  readonly kind: TicketQueueKind;
  readonly vendor: Vendor;
  /** Workers of several queues may share them. */
  readonly slots: FairSlots;
  /** A job of this queue lost its worker. Called in one of the queue's workers, whichever finds it first. */
  readonly onStalled?: () => void;
  readonly keys?: RedisKeys;
}

export interface SyncWorker {
  readonly vendor: Vendor;
  /** Running requests. */
  readonly active: number;
  /** Requests that wait in this worker for a slot. */
  readonly waiting: number;
  /** Stops fetching. Running requests continue, and a pending fetch may still start one. */
  pause(): Promise<void>;
  /** Returns waiting requests, waits up to `timeoutMs` for running ones, then aborts them. Always resolves. */
  close(timeoutMs: number): Promise<void>;
  /** False only if the worker should fetch jobs and does not: only a restart helps. */
  isAlive(): boolean;
}

/**
 * Jobs that a worker without a free slot holds, so that it finds the accounts whose turn it is. What stays without a slot
 * goes back to the end of the queue, so a longer queue passes through as well.
 */
const FETCH_AHEAD = 1_024;

/**
 * A job is active only until its tickets are claimed, so a short lock is enough. The first check after its end moves the
 * tickets of a dead worker, since an earlier one has marked them: within 5 s, half of `ACCEPT_TIMEOUT_MS`.
 */
const RECOVERY = { lockMs: 3_000, stalledCheckMs: 1_500, maxStalledCount: 1_000 } as const;

/** Handles the tickets of one queue. */
export function createTicketWorker(options: SyncWorkerOptions): SyncWorker {
  const { url, kind, vendor, slots, keys, onError } = options;
  const runner: TicketRunner = new TicketRunner(options, slots, () => now());
  // One more than there is room for: a worker that becomes full must not wait for its own requests before it fetches ahead.
  // Tickets that wait beside free slots are above their account's share: behind them may be other accounts' tickets.
  const maxJobs = (): number =>
    runner.jobCount + (slots.room > 0 && runner.waiting === 0 ? slots.room + 1 : FETCH_AHEAD);
  const { worker, close, isAlive, now } = openWorker(
    {
      url,
      name: ticketQueueName(kind, vendor),
      keys,
      ...RECOVERY,
      fetching: { maxJobs, letsOthersFirst: () => slots.active >= slots.size },
      onError,
    },
    (job) => runner.runJob(job),
  );
  worker.on('failed', (job, error) => onError(error, job?.id));
  worker.on('stalled', () => options.onStalled?.());
  return {
    vendor,
    get active() {
      return runner.active;
    },
    get waiting() {
      return runner.waiting;
    },
    pause: () => worker.pause(true),
    async close(timeoutMs) {
      const jobsEnded = close(timeoutMs, () => undefined);
      await Promise.all([runner.drain(jobsEnded, timeoutMs, ABORT_GRACE_MS), jobsEnded]);
    },
    isAlive: () => isAlive(slots),
  };
}
