import type { Database } from '../database.js';
import { keptMonths } from './ledger-months.js';
import type { StatementMonth } from './statement-period.js';

/** December 1999, counted from January 1970 as in the ids of transactions. */
const MONTH_BEFORE_2000 = 359;

export interface MonthSummary {
  readonly month: string;
  readonly lines: bigint;
  readonly amountNanoUsd: bigint;
}

/**
 * The months in which an account's balance changed, the newest first. Kept months are sums by the quarter of an hour. For all
 * else, entries are summed by the UTC month in their ids. Only those of transactions that the time zone puts into another
 * month are looked up: a join of all takes seconds for millions. A transaction finds its month among the bounds of all since
 * 2000, which costs a quarter of a calendar's arithmetic; `OFFSET 0` lets the planner expect few of them.
 * Transfers between the own ledger accounts sum to zero, so no entry needs the kind of its transaction.
 */
export const listStatementMonths = (
  { prisma }: Database,
  { accountId, timeZone }: Omit<StatementMonth, 'month'>,
): Promise<MonthSummary[]> =>
  prisma.$queryRaw<MonthSummary[]>`
    WITH ${keptMonths(accountId)}, bounds AS MATERIALIZED (
      SELECT array_agg(starts AT TIME ZONE ${timeZone} ORDER BY starts) AS starts
        FROM generate_series('2000-01-01'::timestamp, now()::timestamp + interval '13 months', interval '1 month') AS starts
    ), shown AS MATERIALIZED (
      SELECT month, count(*) AS lines, array_agg(id) FILTER (WHERE id >> 40 <> month) AS displaced
        FROM (
          SELECT id, ${MONTH_BEFORE_2000}::int + width_bucket(created_at, (SELECT starts FROM bounds)) AS month
            FROM gap CROSS JOIN LATERAL (
              SELECT id, created_at FROM ledger_transaction
                WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')
                  AND id >= first_id AND id < end_id OFFSET 0) AS booked OFFSET 0) AS numbered
        GROUP BY month
    ), moved AS MATERIALIZED (
      SELECT month, displaced_id >> 40 AS id_month, sum(amount_nano_usd) AS amount
        FROM shown CROSS JOIN LATERAL unnest(displaced) AS each (displaced_id)
          JOIN ledger_entry ON transaction_id = displaced_id AND ledger_account_id IN (SELECT id FROM owned)
        GROUP BY 1, 2
    ), parts AS MATERIALIZED (
      SELECT month, 0 AS lines, sum(amount_nano_usd) AS amount
        FROM (
          SELECT transaction_id >> 40 AS month, amount_nano_usd
            FROM gap CROSS JOIN LATERAL (
              SELECT transaction_id, amount_nano_usd FROM ledger_entry
                WHERE ledger_account_id IN (SELECT id FROM owned)
                  AND transaction_id >= first_id AND transaction_id < end_id OFFSET 0) AS entry OFFSET 0) AS booked
        GROUP BY 1
      UNION ALL SELECT month, 0, amount FROM moved
      UNION ALL SELECT id_month, 0, -amount FROM moved
      UNION ALL SELECT month, lines, 0 FROM shown
      UNION ALL SELECT ${MONTH_BEFORE_2000}::int + width_bucket(starts_at, (SELECT starts FROM bounds)), sum(lines), sum(amount)
        FROM kept GROUP BY 1
    )
    SELECT to_char('2000-01-01'::timestamp + (month - ${MONTH_BEFORE_2000}::int - 1) * interval '1 month', 'YYYY-MM') AS month,
        sum(lines)::bigint AS lines, sum(amount)::bigint AS "amountNanoUsd"
      FROM parts GROUP BY parts.month HAVING sum(lines) > 0 ORDER BY parts.month DESC`;
