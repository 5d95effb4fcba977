import type { Database } from '../database.js';

/**
 * Makes due for removal what a closed account keeps, at most `rows` of each kind: an account may have millions. False: every
 * closed account is emptied, or another call empties the last one.
 */
export async function emptyClosedAccount({ prisma }: Database, rows: number): Promise<boolean> {
  const [row] = await prisma.$queryRaw<unknown[]>`
    WITH closed AS MATERIALIZED (
      SELECT id FROM account WHERE closed_at IS NOT NULL AND emptied_at IS NULL
      ORDER BY closed_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT empty_closed_account(id, ${rows}::int) FROM closed`;
  return row !== undefined;
}
