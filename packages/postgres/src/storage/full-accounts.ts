import type { Database } from '../database.js';

/** The accounts that keep as much as they may. It reads one short row for each account that keeps anything. */
export async function listFullAccounts({ prisma }: Database, limitBytes: number): Promise<ReadonlySet<string>> {
  const rows = await prisma.$queryRaw<{ account_id: string }[]>`
    SELECT account_id FROM store_use WHERE bytes + request_bytes + response_bytes >= ${limitBytes}::bigint`;
  return new Set(rows.map((row) => row.account_id));
}
