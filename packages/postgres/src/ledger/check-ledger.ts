import type { Database } from '../database.js';

/** Four checks of the ledger; each must be zero. */
export interface LedgerCheck {
  /** The sum of all balances. */
  readonly imbalanceNanoUsd: bigint;
  /** Transactions whose entries do not sum to zero. */
  readonly unbalancedTransactions: bigint;
  /** Ledger accounts whose balance is not the sum of their entries, and of those in months that were archived. */
  readonly wrongBalances: bigint;
  /** Days of an account whose sums for reports are not those of its receipts. Days of archived receipts are left out. */
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
          HAVING sum(requests) <> 0 OR sum(cost) <> 0 OR sum(vendor_cost) <> 0) AS one) AS sums`;
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
