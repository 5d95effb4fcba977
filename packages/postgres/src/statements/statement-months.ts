import type { Database } from '../database.js';
import type { StatementMonth } from './statement-period.js';

export interface MonthSummary {
  readonly month: string;
  readonly lines: bigint;
  readonly amountNanoUsd: bigint;
}

/**
 * The months in which an account's balance changed, the newest first. Entries are summed by the UTC month in their ids.
 * Only those of transactions that the time zone puts into another month are looked up: a join of all takes seconds for
 * millions. A transaction finds its month among the bounds of all, which costs a quarter of a calendar's arithmetic.
 * Transfers between the own ledger accounts sum to zero, so no entry needs the kind of its transaction.
 */
export const listStatementMonths = (
  { prisma }: Database,
  { accountId, timeZone }: Omit<StatementMonth, 'month'>,
): Promise<MonthSummary[]> =>
  prisma.$queryRaw<MonthSummary[]>`
    WITH owned AS (
      SELECT id FROM ledger_account WHERE account_id = ${accountId}
    ), months AS MATERIALIZED (
      SELECT array_agg(starts AT TIME ZONE ${timeZone} ORDER BY starts) AS starts,
          array_agg(to_char(starts, 'YYYY-MM') ORDER BY starts) AS names,
          min(date_part('year', starts)::bigint * 12 + date_part('month', starts)::bigint - 23641) AS first
        FROM (
          SELECT min(created_at) AT TIME ZONE ${timeZone} AS oldest, max(created_at) AT TIME ZONE ${timeZone} AS newest
            FROM ledger_transaction
            WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')) AS span
          CROSS JOIN LATERAL generate_series(date_trunc('month', oldest), date_trunc('month', newest), interval '1 month') AS starts
    ), shown AS MATERIALIZED (
      SELECT first - 1 + number AS month, names[number] AS name, lines, displaced
        FROM (
          SELECT number, count(*) AS lines,
              array_agg(id) FILTER (WHERE id >> 40 <> (SELECT first FROM months) - 1 + number) AS displaced
            FROM (
              SELECT id, width_bucket(created_at, (SELECT starts FROM months)) AS number FROM ledger_transaction
                WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')) AS numbered
            GROUP BY number) AS counted
          CROSS JOIN months
    ), moved AS MATERIALIZED (
      SELECT month, displaced_id >> 40 AS id_month, sum(amount_nano_usd) AS amount
        FROM shown CROSS JOIN LATERAL unnest(displaced) AS each (displaced_id)
          JOIN ledger_entry ON transaction_id = displaced_id AND ledger_account_id IN (SELECT id FROM owned)
        GROUP BY 1, 2
    ), parts AS MATERIALIZED (
      SELECT transaction_id >> 40 AS month, sum(amount_nano_usd) AS amount
        FROM ledger_entry WHERE ledger_account_id IN (SELECT id FROM owned) GROUP BY 1
      UNION ALL SELECT month, amount FROM moved
      UNION ALL SELECT id_month, -amount FROM moved
    )
    SELECT name AS month, lines,
        (SELECT coalesce(sum(amount), 0)::bigint FROM parts WHERE parts.month = shown.month) AS "amountNanoUsd"
      FROM shown ORDER BY 1 DESC`;
