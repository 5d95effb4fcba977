import type { Database } from '../database.js';

/** A year of one account would hold a connection for seconds. */
const DAYS_AT_ONCE = 31;

/**
 * Keeps the sums of ended days of accounts with at least `least` rows of sums in the last week. Returns how many days it
 * kept: zero if nothing is left, or if another process keeps days now.
 */
export async function keepUsageDays({ prisma }: Database, least: number): Promise<number> {
  const [row] = await prisma.$queryRaw<{ kept: number }[]>`
    SELECT keep_usage_days(${least}::int, ${DAYS_AT_ONCE}::int) AS kept`;
  return row?.kept ?? 0;
}
