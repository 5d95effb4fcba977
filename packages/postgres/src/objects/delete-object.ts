import type { Database } from '../database.js';
import { type Sql, sql } from '../sql.js';
import { type ObjectAccess, objectsOf, resultsOf } from './find-object.js';

/**
 * Hides objects and returns their room to their accounts. The rows stay until their bytes are deleted, and are due at once.
 * One statement, so that an object is uncounted exactly once.
 */
const hide = ({ prisma }: Database, which: Sql) => prisma.$queryRaw<{ id: string }[]>`
  WITH hidden AS (
    UPDATE stored_object SET status = 'deleted', due_at = clock_timestamp()
    WHERE status <> 'deleted' AND ${which} RETURNING id, account_id, bytes
  ), freed AS (
    SELECT account_id, sum(bytes)::bigint AS bytes, count(*) AS objects FROM hidden GROUP BY account_id ORDER BY account_id
  ), returned AS (
    UPDATE store_use SET bytes = store_use.bytes - freed.bytes, objects = store_use.objects - freed.objects
    FROM freed WHERE store_use.account_id = freed.account_id
  )
  SELECT id FROM hidden`;

/** A result that is still at its vendor is fetched no more. False: this reader has none. */
export async function deleteObject(database: Database, reader: ObjectAccess, id: string): Promise<boolean> {
  const hidden = await hide(
    database,
    sql`id = ${id} AND ${objectsOf(reader)} AND status = 'ready'
      AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
  );
  if (hidden.length === 1) return true;
  const left = await database.prisma.$executeRaw`
    UPDATE fetched_result SET status = 'deleted' WHERE file_id = ${id} AND ${resultsOf(reader)}
      AND status IN ('pending', 'passed_on')`;
  return left === 1;
}

/**
 * Hides the files of a request or of a task; what is still at its vendor is fetched no more. A fetch under way completes
 * no file any more. Returns how many it deleted.
 */
export async function deleteResults(
  database: Database,
  { accountId, isTest }: ObjectAccess,
  requestId: string,
): Promise<number> {
  const rows = await database.prisma.$queryRaw<{ file_id: string; is_new: boolean }[]>`
    UPDATE fetched_result AS result SET status = 'deleted', reason = NULL
    FROM (
      SELECT file_id, status FROM fetched_result
      WHERE task_id = ${requestId} AND account_id = ${accountId} AND is_test = ${isTest} FOR UPDATE
    ) AS known
    WHERE result.file_id = known.file_id RETURNING result.file_id, known.status <> 'deleted' AS is_new`;
  // Those of an earlier call too: its process may have died before it hid them.
  const ids = rows.map((row) => row.file_id);
  await hide(database, sql`id = ANY (${ids}::text[]) AND account_id = ${accountId}`);
  return rows.filter((row) => row.is_new).length;
}

/** Undoes a reservation whose bytes could not be written. */
export async function releaseObject(database: Database, id: string): Promise<void> {
  await hide(database, sql`id = ${id} AND status = 'uploading'`);
}

/**
 * Removes the row of an attempt whose bytes are gone, so that another attempt has the id. One statement: a sweep that saw the row
 * hidden would delete the bytes of that one.
 */
export async function discardObject({ prisma }: Database, id: string): Promise<void> {
  await prisma.$executeRaw`
    WITH gone AS (
      DELETE FROM stored_object WHERE id = ${id} AND status = 'uploading' RETURNING account_id, bytes
    )
    UPDATE store_use SET bytes = store_use.bytes - gone.bytes, objects = store_use.objects - 1
    FROM gone WHERE store_use.account_id = gone.account_id`;
}

/** Hides objects whose time is over and those whose writer has died. Returns how many. An index finds what is before `now()`. */
export async function hideExpiredObjects(database: Database, limit: number): Promise<number> {
  const hidden = await hide(
    database,
    sql`id = ANY (ARRAY(
      WITH expired AS (
        SELECT id FROM stored_object WHERE status = 'ready' AND expires_at < now()
        ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
      ), lost AS (
        SELECT id FROM stored_object WHERE status <> 'ready' AND due_at < now() AND status = 'uploading'
        ORDER BY due_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
      )
      SELECT id FROM expired UNION ALL SELECT id FROM lost))`,
  );
  return hidden.length;
}

/** Ids of hidden objects whose bytes are to be deleted, the oldest first. */
export async function hiddenObjects({ prisma }: Database, limit: number): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM stored_object WHERE status <> 'ready' AND status = 'deleted' AND due_at < now()
    ORDER BY due_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** After their bytes are deleted. */
export const removeObjects = ({ prisma }: Database, ids: readonly string[]): Promise<number> => prisma.$executeRaw`
  DELETE FROM stored_object WHERE id = ANY (${[...ids]}::text[]) AND status = 'deleted'`;
