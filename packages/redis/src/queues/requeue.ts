import type { SyncTicket } from '@gateway/contracts';
import { DelayedError, type Job } from 'bullmq';
import type { TicketJob } from './ticket-bundle.js';

/** Avoids a hot loop between workers that cannot run a ticket; well below `ACCEPT_TIMEOUT_MS`. */
const REQUEUE_DELAY_MS = 500;

/** The default of `ACCEPT_TIMEOUT_MS`: the edge has ended the request of an older ticket. */
const ABANDONED_AFTER_MS = 10_000;

export const isAbandoned = ({ admittedAtMs }: SyncTicket): boolean => Date.now() - admittedAtMs >= ABANDONED_AFTER_MS;

/**
 * Requeues some tickets of a job; never resolves. BullMQ does not count this as an attempt. If the process dies meanwhile,
 * BullMQ delivers the complete job again as stalled. The claims at the edge then decide.
 */
export async function requeue(job: Job<unknown, void>, tickets: readonly SyncTicket[]): Promise<never> {
  const [first, ...others] = tickets;
  const remaining: TicketJob | undefined = others.length === 0 ? first : { tickets };
  await job.updateData(remaining);
  await job.moveToDelayed(Date.now() + REQUEUE_DELAY_MS, job.token);
  throw new DelayedError();
}
