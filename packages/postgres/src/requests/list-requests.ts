import type { DurableRequest, DurableRequestStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { NOTHING, sql } from '../sql.js';
import { type DurableRequestRow, LISTED_COLUMNS, readRow } from './durable-request-row.js';
import type { RequestAccess } from './find-request.js';

export interface RequestPage {
  /** The last request of the page before; null: the first page. */
  readonly after: Pick<DurableRequest, 'createdAtMs' | 'requestId'> | null;
  readonly limit: number;
  /** Undefined: every status. */
  readonly status?: DurableRequestStatus | undefined;
}

/** The kept requests of an account, the newest first. Those of a batch are lines of it, and not in this list. */
export async function listRequests(
  { prisma }: Database,
  { accountId, isTest }: RequestAccess,
  { after, limit, status }: RequestPage,
): Promise<readonly DurableRequest[]> {
  const older =
    after === null
      ? NOTHING
      : sql`AND (created_at, id) < (to_timestamp(${after.createdAtMs}::float8 / 1000.0)::timestamptz(3), ${after.requestId})`;
  const rows = await prisma.$queryRaw<DurableRequestRow[]>`
    SELECT ${LISTED_COLUMNS} FROM durable_request AS request WHERE account_id = ${accountId} AND is_test = ${isTest}
      AND (ticket ->> 'isOfBatch') IS NULL ${older}
      ${status === undefined ? NOTHING : sql`AND status = ${status}`}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`;
  return rows.map(readRow);
}
