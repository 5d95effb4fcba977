import type { Database } from '../database.js';

/** Four checks of the ledger; each must be zero. */
export interface LedgerCheck {
  /** The sum of all balances. */
  readonly imbalanceNanoUsd: bigint;
  /** Transactions whose entries do not sum to zero. */
  readonly unbalancedTransactions: bigint;
  /** Ledger accounts whose balance is not the sum of their entries, and of those in months that were archived. */
  readonly wrongBalances: bigint;
  /**
   * Days of an account whose sums for reports are not those of its receipts. Days of archived receipts are left out. And
   * kept days whose lines are not the sums of their quarters of an hour, and kept months that are not those of the ledger.
   */
  readonly wrongUsageSums: bigint;
}

/** Reads the whole ledger: for tests and for a person, not for a timer. */
export async function checkLedger({ prisma }: Database): Promise<LedgerCheck> {
  const [row] = await prisma.$queryRaw<{ imbalance: bigint; unbalanced: bigint; wrong: bigint; sums: bigint }[]>`
    SELECT
      (SELECT coalesce(sum(balance_nano_usd), 0)::bigint FROM ledger_balance) AS imbalance,
      (SELECT count(*) FROM (
        SELECT 1 FROM ledger_entry GROUP BY transaction_id HAVING sum(amount_nano_usd) <> 0) AS one) AS unbalanced,
      (SELECT count(*) FROM ledger_balance
        LEFT JOIN (
          SELECT ledger_account_id, sum(amount_nano_usd) AS amount FROM (
            SELECT ledger_account_id, amount_nano_usd FROM ledger_entry
            UNION ALL SELECT ledger_account_id, amount_nano_usd FROM ledger_archive) AS posted GROUP BY 1) AS summed
          USING (ledger_account_id)
        WHERE balance_nano_usd <> coalesce(amount, 0)) AS wrong,
      (SELECT count(*) FROM (
        SELECT 1 FROM (
          SELECT account_id, starts_at AS at, requests, cost_nano_usd AS cost, vendor_cost_nano_usd AS vendor_cost FROM usage_rollup
          UNION ALL
          SELECT account_id, settled_at, -1, -cost_nano_usd, -coalesce(vendor_cost_nano_usd, 0) FROM settlement) AS used
          WHERE at >= coalesce(
            (SELECT max(ends_at) + interval '1 month' FROM archived_partition WHERE starts_with(name, 'settlement')), '-infinity')
          GROUP BY account_id, date_trunc('day', at, 'UTC')
          HAVING sum(requests) <> 0 OR sum(cost) <> 0 OR sum(vendor_cost) <> 0) AS one)
        + (SELECT count(*) FROM usage_day WHERE EXISTS (
          WITH kept AS (
            SELECT key_id, model, endpoint, outcome, requests, cost_nano_usd AS cost, units
              FROM jsonb_to_recordset(lines) AS line (key_id text, model text, endpoint text, outcome text, requests bigint,
                cost_nano_usd bigint, units jsonb)
          ), summed AS (
            SELECT key_id, model, endpoint, outcome, requests, cost_nano_usd AS cost, units FROM usage_rollup
              WHERE account_id = usage_day.account_id AND starts_at >= usage_day.starts_at AND starts_at < usage_day.ends_at
          ), sides AS (
            SELECT 1 AS sign, * FROM kept UNION ALL SELECT -1, * FROM summed
          )
          SELECT 1 FROM (
            SELECT key_id, model, endpoint, outcome, '' AS unit, sign * requests AS amount, sign * cost AS cost FROM sides
            UNION ALL
            SELECT key_id, model, endpoint, outcome, unit, sign * amount::numeric, 0
              FROM sides CROSS JOIN LATERAL jsonb_each_text(units) AS one (unit, amount)) AS compared
            WHERE usage_day.requests = (SELECT coalesce(sum(requests), 0) FROM summed)
            GROUP BY key_id, model, endpoint, outcome, unit HAVING sum(amount) <> 0 OR sum(cost) <> 0))
        + (SELECT count(*) FROM ledger_month WHERE EXISTS (
          SELECT 1 FROM (
            SELECT * FROM unnest(starts, lines, charges, amounts) AS quarter (starts_at, lines, charges, amount)
            UNION ALL
            SELECT date_bin('15 minutes', created_at, 'epoch'), -1, -(kind = 'settlement')::int, 0 FROM ledger_transaction
              WHERE account_id = ledger_month.account_id AND kind IN ('top_up', 'adjustment', 'settlement')
                AND id >= month << 40 AND id < (month + 1) << 40
            UNION ALL
            SELECT date_bin('15 minutes', created_at, 'epoch'), 0, 0, -amount_nano_usd
              FROM ledger_account JOIN ledger_entry ON ledger_account_id = ledger_account.id
                JOIN ledger_transaction ON ledger_transaction.id = transaction_id
              WHERE ledger_account.account_id = ledger_month.account_id
                AND transaction_id >= month << 40 AND transaction_id < (month + 1) << 40) AS compared
            WHERE last_id = (SELECT max(id) FROM ledger_transaction
              WHERE account_id = ledger_month.account_id AND kind IN ('top_up', 'adjustment', 'settlement')
                AND id >= month << 40 AND id < (month + 1) << 40)
            GROUP BY starts_at HAVING sum(lines) <> 0 OR sum(charges) <> 0 OR sum(amount) <> 0)) AS sums`;
  if (row === undefined) throw new Error('ledger check: the query returned no row');
  return {
    imbalanceNanoUsd: row.imbalance,
    unbalancedTransactions: row.unbalanced,
    wrongBalances: row.wrong,
    wrongUsageSums: row.sums,
  };
}

export interface LedgerSums {
  /** The sum of all balances; it must be zero. */
  readonly imbalanceNanoUsd: bigint;
  /** The sum of all escrow: the maximum that the loss of Redis can cost. */
  readonly escrowNanoUsd: bigint;
}

/** Fast enough for every round of the reconciliation. */
export async function sumLedger({ prisma }: Database): Promise<LedgerSums> {
  const [row] = await prisma.$queryRaw<{ imbalance: bigint; escrow: bigint }[]>`
    SELECT coalesce(sum(balance_nano_usd), 0)::bigint AS imbalance,
      coalesce(sum(balance_nano_usd) FILTER (WHERE kind = 'escrow'), 0)::bigint AS escrow
    FROM ledger_balance JOIN ledger_account ON ledger_account.id = ledger_account_id`;
  if (row === undefined) throw new Error('ledger sums: the query returned no row');
  return { imbalanceNanoUsd: row.imbalance, escrowNanoUsd: row.escrow };
}
