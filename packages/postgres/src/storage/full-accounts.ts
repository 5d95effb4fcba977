import type { Database } from '../database.js';

/** Bytes that an account may keep. */
export interface AccountBytes {
  readonly most: number;
  /** Of an account that never had money: its test keys keep things too. */
  readonly mostWithoutCredit: number;
}

/** The accounts that keep as much as they may. It reads one short row for each account that keeps anything. */
export async function listFullAccounts(
  { prisma }: Database,
  { most, mostWithoutCredit }: AccountBytes,
): Promise<ReadonlySet<string>> {
  const rows = await prisma.$queryRaw<{ account_id: string }[]>`
    SELECT account_id FROM store_use JOIN account ON account.id = account_id,
      LATERAL (SELECT bytes + request_bytes + response_bytes AS all_bytes) AS used
    WHERE all_bytes >= ${most}::bigint OR (all_bytes >= ${mostWithoutCredit}::bigint
      AND escrow_sequence = 0 AND balance_of('customer', account_id) <= 0)`;
  return new Set(rows.map((row) => row.account_id));
}
