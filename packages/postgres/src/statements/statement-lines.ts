import type { Database } from '../database.js';
import type { LedgerLine } from '../ledger/list-ledger.js';
import type { AccountPeriod } from './statement-period.js';

/** The lines of a period after the transaction `afterId`, the oldest first. */
export const statementLines = (
  { prisma }: Database,
  { accountId, from, to }: AccountPeriod,
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
