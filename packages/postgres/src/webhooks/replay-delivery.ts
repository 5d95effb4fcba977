import type { Database } from '../database.js';

/** `pending`: it has not ended yet, so it goes on by itself. */
export type ReplayOutcome = 'replayed' | 'pending' | 'unknown' | 'endpoint_disabled' | 'endpoint_deleted';

/** Sends a delivery that has ended once more, with the same event id and from the beginning of the schedule. */
export async function replayDelivery({ prisma }: Database, accountId: string, id: string): Promise<ReplayOutcome> {
  const [row] = await prisma.$queryRaw<{ outcome: ReplayOutcome }[]>`
    SELECT replay_webhook_delivery(${accountId}, ${id}) AS outcome`;
  if (row === undefined) throw new Error('replay_webhook_delivery() gave no row');
  return row.outcome;
}
