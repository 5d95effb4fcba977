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
