import { monthOfRequest } from '@gateway/contracts';
import type { Database } from '../database.js';

/** One entry of the ledger about a request. */
export interface Posting {
  readonly transactionId: bigint;
  readonly kind: string;
  /** What a customer owns: `customer`, `escrow` or `task_holds`; ours: `revenue`. */
  readonly ledgerAccount: string;
  /** Nano-USD: positive if the ledger account gets it. */
  readonly amountNanoUsd: bigint;
  readonly createdAt: Date;
}

/** Before all ids of transactions. */
const UNDATED = new Date(0);

/** Every transaction about a request has one of these references. */
const REFERENCES = ['settlement:', 'task-hold:', 'task-release:', 'reversal:settlement:'];

/** The entries of the ledger about a request, in the order of their transactions. Each transaction sums to zero. */
export const listPostings = (
  { prisma }: Database,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string },
): Promise<readonly Posting[]> => prisma.$queryRaw<Posting[]>`
    SELECT ledger_transaction.id AS "transactionId", ledger_transaction.kind, ledger_account.kind AS "ledgerAccount",
      amount_nano_usd AS "amountNanoUsd", created_at AS "createdAt"
    FROM ledger_transaction
      JOIN ledger_entry ON transaction_id = ledger_transaction.id
      JOIN ledger_account ON ledger_account.id = ledger_account_id
    WHERE ledger_transaction.account_id = ${accountId}
      AND ledger_transaction.id >= ledger_month_floor(${monthOfRequest(requestId) ?? UNDATED})
      AND reference = ANY (${REFERENCES.map((kind) => `${kind}${requestId}`)})
    ORDER BY ledger_transaction.id, ledger_entry.id`;
