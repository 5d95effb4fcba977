import type { Database } from '../database.js';
import { sql } from '../sql.js';

/** A writer that takes longer has died: the sweep deletes the object. */
const WRITTEN_WITHIN_SECONDS = 3_600;
/** A sweep that takes longer has died: the next one repeats its deletions. */
const DELETED_WITHIN_SECONDS = 60;

/** Comes before objects are put in the store, so that they are found if no row ever names them. */
export async function announceObjects({ pool }: Pick<Database, 'pool'>, keys: readonly string[]): Promise<void> {
  await pool.query(sql`
    INSERT INTO pending_object (key, due_at)
    SELECT unnest(${[...keys]}::text[]), clock_timestamp() + make_interval(secs => ${WRITTEN_WITHIN_SECONDS}::float8)`);
}

/** Keys of objects that no row names and whose writer has died. From now on no row can name them. */
export async function takePendingObjects({ prisma }: Database, limit: number): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ key: string }[]>`
    UPDATE pending_object SET is_taken = true,
      due_at = clock_timestamp() + make_interval(secs => ${DELETED_WITHIN_SECONDS}::float8)
    WHERE key IN (SELECT key FROM pending_object WHERE due_at < now() LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)
    RETURNING key`;
  return rows.map(({ key }) => key);
}

/** After the objects are deleted. */
export const removePendingObjects = ({ prisma }: Database, keys: readonly string[]): Promise<number> =>
  prisma.$executeRaw`DELETE FROM pending_object WHERE key = ANY (${[...keys]}::text[]) AND is_taken`;
