import type { SyncTicket } from '@gateway/contracts';
import { DelayedError, type Job } from 'bullmq';
import type { TicketJob } from './ticket-bundle.js';

/** Long enough that a worker which can run nothing does not have the same tickets over and over, short beside an edge's patience. */
const AGAIN_AFTER_MS = 500;

/** An edge's usual patience (`ACCEPT_TIMEOUT_MS`): what is older belongs to one that is gone. */
const GIVEN_UP_AFTER_MS = 10_000;

export const isGivenUp = ({ admittedAtMs }: SyncTicket): boolean => Date.now() - admittedAtMs >= GIVEN_UP_AFTER_MS;

/**
 * Puts what is left of a job back on its queue; never returns. BullMQ counts that as no attempt. Should the process die in between, the job counts as stalled
 * and comes whole, and the claims at the edge decide.
 */
export async function handBack(job: Job<unknown, void>, tickets: readonly SyncTicket[]): Promise<never> {
  const [only, ...more] = tickets;
  const left: TicketJob | undefined = more.length === 0 ? only : { tickets };
  await job.updateData(left);
  await job.moveToDelayed(Date.now() + AGAIN_AFTER_MS, job.token);
  throw new DelayedError();
}
