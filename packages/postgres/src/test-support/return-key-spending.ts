import type { KeyId, KeySpending } from '@gateway/contracts';
import type { Database } from '../database.js';

interface Row {
  readonly spending_key_id: string;
  readonly spent_nano_usd: bigint;
  readonly spending_version: bigint;
}

/** Subtracts from what a key has spent, as the end of a task does. Null: there is no such key. */
export async function returnKeySpending(
  { prisma }: Database,
  keyId: string,
  amountNanoUsd: bigint,
): Promise<KeySpending | null> {
  const [row] = await prisma.$queryRaw<Row[]>`SELECT * FROM return_key_spending(${keyId}, ${amountNanoUsd}::bigint)`;
  if (row === undefined) return null;
  return {
    spendingKeyId: row.spending_key_id as KeyId,
    spentNanoUsd: row.spent_nano_usd.toString(),
    version: row.spending_version.toString(),
  };
}
