import type { KeyId, KeySpending } from '@gateway/contracts';
import type { Database } from '../database.js';

export interface Reversal {
  readonly outcome: 'posted' | 'repeated';
  readonly transactionId: bigint;
  /** What the customer got back; negative if the reversal took money from them. */
  readonly amountNanoUsd: bigint;
  readonly createdAt: Date;
}

interface Row {
  readonly outcome: 'posted' | 'repeated' | 'unknown';
  readonly transaction_id: bigint | null;
  readonly amount_nano_usd: bigint | null;
  readonly created_at: Date | null;
}

/**
 * Reverses a transaction, once. `reference` is the ledger's own, such as `settlement:req_…` or `credit:…`. Null: the
 * account has no such transaction, customers cannot see it, or it is a reversal itself.
 */
export async function reverseTransaction(
  { prisma }: Database,
  accountId: string,
  reference: string,
  reason: string,
): Promise<Reversal | null> {
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT * FROM reverse_transaction(${accountId}, ${reference}, ${reason})`;
  if (row === undefined) throw new Error('reverse_transaction() returned no row');
  const { outcome, transaction_id: transactionId, amount_nano_usd: amountNanoUsd, created_at: createdAt } = row;
  if (outcome === 'unknown') return null;
  if (transactionId === null || amountNanoUsd === null || createdAt === null) {
    throw new Error('reverse_transaction() returned no transaction');
  }
  return { outcome, transactionId, amountNanoUsd, createdAt };
}

interface SpendingRow {
  readonly id: KeyId;
  readonly spent: string;
  readonly version: string;
}

/** What the key of a request has spent now, for Redis. Null: the request has no receipt, or its key is gone. */
export async function readSpendingOfRequest({ prisma }: Database, requestId: string): Promise<KeySpending | null> {
  const [row] = await prisma.$queryRaw<SpendingRow[]>`
    SELECT counted.id, counted.spent_nano_usd::text AS spent, counted.spending_version::text AS version
      FROM settlement JOIN api_key ON api_key.id = key_id
        JOIN api_key AS counted ON counted.id = coalesce(api_key.spending_key_id, api_key.id)
      WHERE request_id = ${requestId}`;
  return row === undefined ? null : { spendingKeyId: row.id, spentNanoUsd: row.spent, version: row.version };
}
