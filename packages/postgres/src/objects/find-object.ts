import type { FilePurpose, StoredObject } from '@gateway/contracts';
import type { Database } from '../database.js';
import { type KeyLimits, ofKeysWith } from '../keys/of-keys-with.js';
import { NOTHING, type Sql, sql } from '../sql.js';
import { readObject, type StoredObjectRow } from './stored-object-row.js';

/** The account that reads. A key of one mode does not see the files of the other mode. */
export interface ObjectAccess {
  readonly accountId: string;
  readonly isTest: boolean;
}

export interface ObjectQuery {
  /** The id of the last object of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly purpose?: FilePurpose | undefined;
  /** Of results, those of keys within these limits only. Undefined: those of every key. */
  readonly resultsWithin?: KeyLimits | undefined;
}

const IS_VISIBLE = sql`status = 'ready' AND (expires_at IS NULL OR expires_at > clock_timestamp())`;

/** No reader: the bearer of an address that the gateway has signed. */
const isOf = (reader: ObjectAccess | null): Sql =>
  reader === null ? sql`true` : sql`(account_id = ${reader.accountId} AND is_test = ${reader.isTest})`;

/** Null: this reader has none. */
export async function findObject(
  { prisma }: Database,
  reader: ObjectAccess | null,
  id: string,
): Promise<StoredObject | null> {
  const [row] = await prisma.$queryRaw<StoredObjectRow[]>`
    SELECT * FROM stored_object WHERE id = ${id} AND ${isOf(reader)} AND ${IS_VISIBLE}`;
  return row === undefined ? null : readObject(row);
}

/** Where a vendor still has a result that the gateway does not have. */
export interface ResultSource {
  readonly sourceUrl: string;
  /** True: the gateway cannot keep it, because it is too large. */
  readonly isLeft: boolean;
}

/** Null: there is none, or the vendor's address has ended. */
export async function findSource(
  { prisma }: Database,
  reader: ObjectAccess | null,
  id: string,
): Promise<ResultSource | null> {
  const [row] = await prisma.$queryRaw<{ source_url: string; status: string }[]>`
    SELECT source_url, status FROM fetched_result
    WHERE file_id = ${id} AND ${isOf(reader)} AND status IN ('pending', 'passed_on')
      AND source_expires_at > clock_timestamp()`;
  return row === undefined ? null : { sourceUrl: row.source_url, isLeft: row.status === 'passed_on' };
}

/** Null: `after` names no object of this account. */
export async function listObjects(
  { prisma }: Database,
  { accountId, isTest }: ObjectAccess,
  { after, limit, order, purpose, resultsWithin }: ObjectQuery,
): Promise<readonly StoredObject[] | null> {
  const isNewestFirst = order === 'desc';
  const beyond = isNewestFirst ? sql`<` : sql`>`;
  const direction = isNewestFirst ? sql`DESC` : sql`ASC`;
  let position = NOTHING;
  if (after !== undefined) {
    const [last] = await prisma.$queryRaw<{ created_at: Date }[]>`
      SELECT created_at FROM stored_object WHERE id = ${after} AND account_id = ${accountId} AND is_test = ${isTest}`;
    if (last === undefined) return null;
    position = sql`AND (created_at, id) ${beyond} (${last.created_at}, ${after})`;
  }
  const rows = await prisma.$queryRaw<StoredObjectRow[]>`
    SELECT * FROM stored_object
    WHERE account_id = ${accountId} AND is_test = ${isTest} AND ${IS_VISIBLE}
      ${purpose === undefined ? NOTHING : sql`AND purpose = ${purpose}`} ${position}
      ${resultsWithin === undefined ? NOTHING : sql`AND (purpose NOT IN ('batch_output', 'generation') OR ${ofKeysWith(accountId, resultsWithin)})`}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ${limit}::int`;
  return rows.map(readObject);
}
