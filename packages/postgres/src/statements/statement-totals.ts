import type { Database } from '../database.js';
import { keptMonths } from './ledger-months.js';
import { type MonthPeriod, periodOf, type StatementMonth } from './statement-period.js';

/** Amounts in nano-USD. Transfers between the customer's own ledger accounts sum to zero. */
export interface StatementTotals extends Pick<MonthPeriod, 'from' | 'to' | 'isFinal'> {
  readonly openingNanoUsd: bigint;
  readonly topUpsNanoUsd: bigint;
  readonly adjustmentsNanoUsd: bigint;
  /** What moved beside top-ups and adjustments: zero or less. The receipts must explain it. */
  readonly chargesNanoUsd: bigint;
  readonly chargeCount: bigint;
  readonly closingNanoUsd: bigint;
  /** The month began before this time: its entries are archived, and the amounts are wrong. Null: they are all here. */
  readonly archivedUntil: Date | null;
  /** The ledger's balance now, less all of its entries: zero. */
  readonly differenceNanoUsd: bigint;
}

interface TotalsRow {
  readonly opening: bigint;
  readonly topUps: bigint;
  readonly adjustments: bigint;
  readonly moved: bigint;
  readonly chargeCount: bigint;
  readonly difference: bigint;
  readonly archivedUntil: Date | null;
}

/** The totals of one month, summed from every entry of the account in one statement. */
export async function statementTotals(database: Database, month: StatementMonth): Promise<StatementTotals> {
  const period = await periodOf(database, month);
  const row = await readTotals(database, month.accountId, period);
  return {
    from: period.from,
    to: period.to,
    isFinal: period.isFinal,
    openingNanoUsd: row.opening,
    topUpsNanoUsd: row.topUps,
    adjustmentsNanoUsd: row.adjustments,
    chargesNanoUsd: row.moved - row.topUps - row.adjustments,
    chargeCount: row.chargeCount,
    closingNanoUsd: row.opening + row.moved,
    archivedUntil: row.archivedUntil,
    differenceNanoUsd: row.difference,
  };
}

/**
 * Kept months are sums by the quarter of an hour, and each month begins and ends with one. For all else, the id of a
 * transaction has its UTC month, so entries are summed by id. Only those that the time zone or the end of the
 * period puts elsewhere are looked up. A place is 0 before the period, 1 in it, 2 after it. The period is a constant of
 * the statement, which halves its processor time.
 */
async function readTotals(
  { prisma }: Database,
  accountId: string,
  { from, to, firstId, endId }: MonthPeriod,
): Promise<TotalsRow> {
  const [row] = await prisma.$queryRaw<TotalsRow[]>`
    WITH ${keptMonths(accountId)}, archived AS (
      SELECT coalesce(sum(amount_nano_usd), 0) AS amount,
          (SELECT max(ends_at) FROM archived_partition WHERE starts_with(name, 'ledger_entry')) AS until
        FROM ledger_archive WHERE ledger_account_id IN (SELECT id FROM owned)
    ), shown AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE kind = 'settlement' AND created_at >= ${from} AND created_at < ${to}) AS charges,
          array_agg(id) FILTER (WHERE (created_at >= ${from}) <> (id >= ${firstId}) OR (created_at >= ${to}) <> (id >= ${endId})) AS displaced
        FROM gap CROSS JOIN LATERAL (
          SELECT id, kind, created_at FROM ledger_transaction
            WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')
              AND id >= first_id AND id < end_id OFFSET 0) AS booked
    ), moved AS MATERIALIZED (
      SELECT (created_at >= ${from})::int + (created_at >= ${to})::int AS place,
          (displaced_id >= ${firstId})::int + (displaced_id >= ${endId})::int AS id_place, amount_nano_usd AS amount
        FROM shown CROSS JOIN LATERAL unnest(displaced) AS each (displaced_id)
          JOIN ledger_transaction ON ledger_transaction.id = displaced_id
          JOIN ledger_entry ON transaction_id = displaced_id AND ledger_account_id IN (SELECT id FROM owned)
    ), parts AS MATERIALIZED (
      SELECT place, sum(amount_nano_usd) AS amount
        FROM (
          SELECT (transaction_id >= ${firstId})::int + (transaction_id >= ${endId})::int AS place, amount_nano_usd
            FROM gap CROSS JOIN LATERAL (
              SELECT transaction_id, amount_nano_usd FROM ledger_entry
                WHERE ledger_account_id IN (SELECT id FROM owned)
                  AND transaction_id >= first_id AND transaction_id < end_id OFFSET 0) AS entry OFFSET 0) AS booked
        GROUP BY 1
      UNION ALL SELECT (starts_at >= ${from})::int + (starts_at >= ${to})::int, sum(amount) FROM kept GROUP BY 1
      UNION ALL SELECT place, amount FROM moved
      UNION ALL SELECT id_place, -amount FROM moved
    ), credited AS MATERIALIZED (
      SELECT kind, sum(amount_nano_usd) AS amount
        FROM ledger_transaction JOIN ledger_entry ON transaction_id = ledger_transaction.id
        WHERE ledger_transaction.account_id = ${accountId} AND kind IN ('top_up', 'adjustment')
          AND created_at >= ${from} AND created_at < ${to} AND ledger_account_id IN (SELECT id FROM owned)
        GROUP BY 1
    )
    SELECT (coalesce((SELECT sum(amount) FROM parts WHERE place = 0), 0) + archived.amount)::bigint AS opening,
        coalesce((SELECT sum(amount) FROM parts WHERE place = 1), 0)::bigint AS moved,
        coalesce((SELECT amount FROM credited WHERE kind = 'top_up'), 0)::bigint AS "topUps",
        coalesce((SELECT amount FROM credited WHERE kind = 'adjustment'), 0)::bigint AS adjustments,
        (shown.charges + (SELECT coalesce(sum(charges), 0) FROM kept WHERE starts_at >= ${from} AND starts_at < ${to}))::bigint
          AS "chargeCount",
        ((SELECT coalesce(sum(balance_nano_usd), 0) FROM ledger_balance WHERE ledger_account_id IN (SELECT id FROM owned))
          - archived.amount - coalesce((SELECT sum(amount) FROM parts), 0))::bigint AS difference,
        CASE WHEN archived.until > ${from} THEN archived.until END AS "archivedUntil"
      FROM archived CROSS JOIN shown`;
  if (row === undefined) throw new Error('a statement has no totals');
  return row;
}
