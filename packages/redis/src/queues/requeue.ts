import { STORE_ORIGIN, type SyncTicket } from '@gateway/contracts';
import { DelayedError, type Job } from 'bullmq';
import type { TicketJob } from './ticket-bundle.js';

/** This worker cannot run the ticket, but another one may. */
export type Requeued = 'requeue';

/** The default of `ACCEPT_TIMEOUT_MS`: the edge has ended the request of an older ticket. */
const ABANDONED_AFTER_MS = 10_000;

/** A request in the store waits until its deadline. `nowMs`: by a clock that is not this worker's. */
export const isAbandoned = ({ replyTo, admittedAtMs, deadlineMs }: SyncTicket, nowMs: number): boolean =>
  nowMs >= (replyTo === STORE_ORIGIN ? deadlineMs : admittedAtMs + ABANDONED_AFTER_MS);

export interface ReturnedTickets {
  readonly tickets: readonly SyncTicket[];
  /** The job has no other tickets. */
  readonly isWhole: boolean;
  readonly delayMs: number;
}

/**
 * Requeues tickets of a job; never resolves. BullMQ does not count this as an attempt. If the process dies meanwhile,
 * BullMQ delivers the complete job again as stalled. The claims at the edge then decide.
 */
export async function requeue(job: Job<unknown, void>, { tickets, isWhole, delayMs }: ReturnedTickets): Promise<never> {
  const [first, ...others] = tickets;
  const remaining: TicketJob | undefined = others.length === 0 ? first : { tickets };
  if (!isWhole) await job.updateData(remaining);
  await job.moveToDelayed(Date.now() + delayMs, job.token);
  throw new DelayedError();
}
