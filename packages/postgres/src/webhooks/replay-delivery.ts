import type { Database } from '../database.js';

/** `pending`: the delivery has not ended, so its schedule continues. */
export type ReplayOutcome = 'replayed' | 'pending' | 'unknown' | 'endpoint_disabled' | 'endpoint_deleted';

/** Sends a finished delivery again from the first step of its schedule, with the same event id. */
export async function replayDelivery({ prisma }: Database, accountId: string, id: string): Promise<ReplayOutcome> {
  const [row] = await prisma.$queryRaw<{ outcome: ReplayOutcome }[]>`
    SELECT replay_webhook_delivery(${accountId}, ${id}) AS outcome`;
  if (row === undefined) throw new Error('replay_webhook_delivery() returned no row');
  return row.outcome;
}
