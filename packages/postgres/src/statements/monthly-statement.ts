import type { Database } from '../database.js';
import type { LedgerLine } from '../ledger/list-ledger.js';

/** A calendar month of an account, in a time zone. */
export interface StatementMonth {
  readonly accountId: string;
  /** `2026-11`. */
  readonly month: string;
  readonly timeZone: string;
}

/** Amounts in nano-USD. Transfers between the customer's own ledger accounts sum to zero. */
export interface StatementTotals {
  readonly from: Date;
  /** The end of the month, or a minute ago if that is earlier: what is older does not change any more. */
  readonly to: Date;
  readonly isFinal: boolean;
  readonly openingNanoUsd: bigint;
  readonly topUpsNanoUsd: bigint;
  readonly adjustmentsNanoUsd: bigint;
  /** Zero or less. */
  readonly chargesNanoUsd: bigint;
  readonly closingNanoUsd: bigint;
  /** The month began before this time: its entries are archived, and the amounts are wrong. Null: they are all here. */
  readonly archivedUntil: Date | null;
  /** The ledger's balance now, less all of its entries and less what the lines of the statement do not explain: zero. */
  readonly differenceNanoUsd: bigint;
}

interface TotalsRow {
  readonly from: Date;
  readonly to: Date;
  readonly isFinal: boolean;
  readonly opening: bigint;
  readonly topUps: bigint;
  readonly adjustments: bigint;
  readonly charges: bigint;
  readonly moved: bigint;
  readonly difference: bigint;
  readonly archivedUntil: Date | null;
}

/** The totals of one month, summed from every entry of the account in one statement. */
export async function statementTotals(
  { prisma }: Database,
  { accountId, month, timeZone }: StatementMonth,
): Promise<StatementTotals> {
  const [row] = await prisma.$queryRaw<TotalsRow[]>`
    WITH period AS (
      SELECT starts AT TIME ZONE ${timeZone} AS starts_at, (starts + interval '1 month') AT TIME ZONE ${timeZone} AS ends_at,
          least((starts + interval '1 month') AT TIME ZONE ${timeZone}, now() - interval '1 minute') AS until
        FROM (SELECT (${month} || '-01')::timestamp AS starts) AS month
    ), owned AS (
      SELECT id FROM ledger_account WHERE account_id = ${accountId}
    ), archived AS (
      SELECT coalesce(sum(amount_nano_usd), 0) AS amount,
          (SELECT max(ends_at) FROM archived_partition WHERE starts_with(name, 'ledger_entry')) AS until
        FROM ledger_archive WHERE ledger_account_id IN (SELECT id FROM owned)
    ), sums AS (
      SELECT kind, CASE WHEN created_at < starts_at THEN 'before' WHEN created_at < until THEN 'in' ELSE 'after' END AS place,
          sum(amount_nano_usd) AS amount
        FROM ledger_entry JOIN ledger_transaction ON ledger_transaction.id = transaction_id CROSS JOIN period
        WHERE ledger_account_id IN (SELECT id FROM owned) GROUP BY 1, 2
    ), totals AS (
      SELECT coalesce(sum(amount) FILTER (WHERE place = 'before'), 0) + (SELECT amount FROM archived) AS opening,
          coalesce(sum(amount) FILTER (WHERE place = 'in' AND kind = 'top_up'), 0) AS top_ups,
          coalesce(sum(amount) FILTER (WHERE place = 'in' AND kind = 'adjustment'), 0) AS adjustments,
          coalesce(sum(amount) FILTER (WHERE place = 'in' AND kind = 'settlement'), 0) AS charges,
          coalesce(sum(amount) FILTER (WHERE place = 'in'), 0) AS moved,
          coalesce(sum(amount), 0) + (SELECT amount FROM archived) AS everything
        FROM sums
    )
    SELECT starts_at AS "from", greatest(starts_at, until) AS "to", until = ends_at AS "isFinal", opening::bigint,
        top_ups::bigint AS "topUps", adjustments::bigint, charges::bigint, moved::bigint,
        ((SELECT coalesce(sum(balance_nano_usd), 0) FROM ledger_balance
            WHERE ledger_account_id IN (SELECT id FROM owned)) - everything
          + moved - top_ups - adjustments - charges)::bigint AS difference,
        (SELECT archived.until FROM archived WHERE archived.until > starts_at) AS "archivedUntil"
      FROM totals CROSS JOIN period`;
  if (row === undefined) throw new Error('a statement has no totals');
  return {
    from: row.from,
    to: row.to,
    isFinal: row.isFinal,
    openingNanoUsd: row.opening,
    topUpsNanoUsd: row.topUps,
    adjustmentsNanoUsd: row.adjustments,
    chargesNanoUsd: row.charges,
    closingNanoUsd: row.opening + row.moved,
    archivedUntil: row.archivedUntil,
    differenceNanoUsd: row.difference,
  };
}

type Period = { readonly accountId: string } & Pick<StatementTotals, 'from' | 'to'>;

export interface ModelCharges {
  readonly model: string;
  readonly requests: bigint;
  readonly costNanoUsd: bigint;
}

/** The charges of a period by model. They are those that the ledger booked in it, so they add up to its charges. */
export const statementCharges = ({ prisma }: Database, { accountId, from, to }: Period): Promise<ModelCharges[]> =>
  prisma.$queryRaw<ModelCharges[]>`
    SELECT model, count(*) AS requests, sum(cost_nano_usd)::bigint AS "costNanoUsd"
      FROM ledger_transaction JOIN settlement ON request_id = substr(reference, 1 + length('settlement:'))
      WHERE ledger_transaction.account_id = ${accountId} AND kind = 'settlement'
        AND created_at >= ${from} AND created_at < ${to}
      GROUP BY model ORDER BY sum(cost_nano_usd) DESC, model`;

/** The lines of a period after the transaction `afterId`, the oldest first. */
export const statementLines = (
  { prisma }: Database,
  { accountId, from, to }: Period,
  page: { readonly afterId: bigint; readonly limit: number },
): Promise<LedgerLine[]> =>
  prisma.$queryRaw<LedgerLine[]>`
    SELECT ledger_transaction.id, ledger_transaction.kind, reference, reason, created_at AS "createdAt",
      (SELECT sum(amount_nano_usd)::bigint FROM ledger_entry
        JOIN ledger_account ON ledger_account.id = ledger_account_id
        WHERE transaction_id = ledger_transaction.id AND ledger_account.account_id = ${accountId}) AS "amountNanoUsd"
    FROM ledger_transaction
    WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')
      AND created_at >= ${from} AND created_at < ${to} AND id > ${page.afterId}::bigint
    ORDER BY id LIMIT ${page.limit}::int`;

export interface MonthSummary {
  readonly month: string;
  readonly lines: bigint;
  readonly amountNanoUsd: bigint;
}

/**
 * The months in which an account's balance changed, the newest first. Entries are summed by the UTC month in their ids.
 * Only those of transactions that the time zone puts into another month are looked up: a join of all takes seconds for
 * millions. Transfers between the own ledger accounts sum to zero, so no entry needs the kind of its transaction.
 */
export const listStatementMonths = (
  { prisma }: Database,
  { accountId, timeZone }: Omit<StatementMonth, 'month'>,
): Promise<MonthSummary[]> =>
  prisma.$queryRaw<MonthSummary[]>`
    WITH owned AS (
      SELECT id FROM ledger_account WHERE account_id = ${accountId}
    ), shown AS MATERIALIZED (
      SELECT month, count(*) AS lines, min(at) AS at, array_agg(id) FILTER (WHERE id >> 40 <> month) AS displaced
        FROM (
          SELECT id, at, date_part('year', at)::bigint * 12 + date_part('month', at)::bigint - 23641 AS month
            FROM (
              SELECT id, created_at AT TIME ZONE ${timeZone} AS at FROM ledger_transaction
                WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')) AS local) AS dated
        GROUP BY month
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
    SELECT to_char(at, 'YYYY-MM') AS month, lines,
        (SELECT coalesce(sum(amount), 0)::bigint FROM parts WHERE parts.month = shown.month) AS "amountNanoUsd"
      FROM shown ORDER BY 1 DESC`;
