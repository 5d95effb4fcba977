import type { Database } from '../database.js';
import { type Sql, sql } from '../sql.js';

/** Keeps one ended month of a large account. Returns zero if nothing is left, or if another process keeps months now. */
export async function keepLedgerMonths({ prisma }: Database): Promise<number> {
  const [row] = await prisma.$queryRaw<{ kept: number }[]>`SELECT keep_ledger_months(1) AS kept`;
  return row?.kept ?? 0;
}

/**
 * Begins a statement about an account. `kept` has the kept months that the ledger still proves: nothing in it is changed or
 * removed, and a later transaction has a higher id, also if it is booked in a past month. `gap` has the ids between the kept
 * months, which must be read.
 */
export const keptMonths = (accountId: string): Sql => sql`
  owned AS MATERIALIZED (
    SELECT id FROM ledger_account WHERE account_id = ${accountId}
  ), proven AS MATERIALIZED (
    SELECT month, starts, lines, charges, amounts FROM ledger_month
      WHERE account_id = ${accountId} AND last_id = (
        SELECT coalesce(max(id), 0) FROM ledger_transaction
          WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')
            AND id >= month << 40 AND id < (month + 1) << 40)
  ), kept AS MATERIALIZED (
    SELECT quarter.* FROM proven CROSS JOIN LATERAL unnest(starts, lines, charges, amounts)
      AS quarter (starts_at, lines, charges, amount)
  ), gap AS MATERIALIZED (
    SELECT * FROM (
      SELECT coalesce(lag(month + 1) OVER (ORDER BY month), 0) << 40 AS first_id, month << 40 AS end_id FROM proven
      UNION ALL SELECT coalesce(max(month + 1), 0) << 40, 9223372036854775807 FROM proven) AS between_months
    WHERE first_id < end_id
  )`;
