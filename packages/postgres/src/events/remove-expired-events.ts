import type { Database } from '../database.js';

/** Removes events older than this with their deliveries and attempts, at most `limit`; says how many. What is still on its way stays. */
export async function removeExpiredEvents({ prisma }: Database, keepMs: number, limit: number): Promise<number> {
  const [row] = await prisma.$queryRaw<{ removed: bigint }[]>`
    SELECT remove_old_events(${keepMs}::bigint, ${limit}::int) AS removed`;
  return Number(row?.removed ?? 0n);
}
