import type { Database } from '../database.js';

/** A transaction that changed what a customer owns. Transfers between the customer's ledger accounts are left out. */
export interface LedgerLine {
  readonly id: bigint;
  readonly kind: 'top_up' | 'adjustment' | 'settlement';
  /** `credit:<reference>` or `settlement:<request id>`. */
  readonly reference: string;
  readonly reason: string | null;
  readonly amountNanoUsd: bigint;
  readonly createdAt: Date;
}

interface Row {
  readonly id: bigint;
  readonly kind: LedgerLine['kind'];
  readonly reference: string;
  readonly reason: string | null;
  readonly amount: bigint;
  readonly created_at: Date;
}

/** Lines older than the transaction `beforeId`, the newest first. */
export async function listLedger(
  { prisma }: Database,
  accountId: string,
  page: { readonly beforeId: bigint | null; readonly limit: number },
): Promise<readonly LedgerLine[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT ledger_transaction.id, ledger_transaction.kind, reference, reason, created_at,
      (SELECT sum(amount_nano_usd)::bigint FROM ledger_entry
        JOIN ledger_account ON ledger_account.id = ledger_account_id
        WHERE transaction_id = ledger_transaction.id AND ledger_account.account_id = ${accountId}) AS amount
    FROM ledger_transaction
    WHERE account_id = ${accountId} AND kind IN ('top_up', 'adjustment', 'settlement')
      AND (${page.beforeId}::bigint IS NULL OR id < ${page.beforeId}::bigint)
    ORDER BY id DESC LIMIT ${page.limit}::int`;
  return rows.map(({ amount, created_at, ...row }) => ({ ...row, amountNanoUsd: amount, createdAt: created_at }));
}
