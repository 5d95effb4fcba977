import type { FilePurpose, StoredObject } from '@gateway/contracts';
import type { Database } from '../database.js';
import { type KeyLimits, ofKeysWith } from '../keys/of-keys-with.js';
import { NOTHING, type Sql, sql } from '../sql.js';
import { readObject, type StoredObjectRow } from './stored-object-row.js';

/**
 * Who reads. A key of one mode does not see the files of the other mode. One with limits sees uploads, and of results those of keys
 * within these limits.
 */
export interface ObjectAccess extends Partial<KeyLimits> {
  readonly accountId: string;
  readonly isTest: boolean;
}

export interface ObjectQuery {
  /** The id of the last object of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly purpose?: FilePurpose | undefined;
}

const IS_VISIBLE = sql`status = 'ready' AND (expires_at IS NULL OR expires_at > clock_timestamp())`;

const isOf = ({ accountId, isTest }: ObjectAccess): Sql => sql`account_id = ${accountId} AND is_test = ${isTest}`;

const isWithinLimits = ({ accountId, models = null, endpoints = null }: ObjectAccess): Sql =>
  models === null && endpoints === null ? sql`true` : ofKeysWith(accountId, { models, endpoints });

/** Of results of vendors: those that the reader sees. */
export const resultsOf = (reader: ObjectAccess): Sql => sql`${isOf(reader)} AND ${isWithinLimits(reader)}`;

/** Of all objects: those that the reader sees. */
export const objectsOf = (reader: ObjectAccess): Sql =>
  sql`${isOf(reader)} AND (purpose NOT IN ('batch_output', 'generation') OR ${isWithinLimits(reader)})`;

/** `reader` is null for the bearer of an address that the gateway has signed. Null: this reader has none. */
export async function findObject(
  { prisma }: Database,
  reader: ObjectAccess | null,
  id: string,
): Promise<StoredObject | null> {
  const [row] = await prisma.$queryRaw<StoredObjectRow[]>`
    SELECT * FROM stored_object WHERE id = ${id} AND ${reader === null ? sql`true` : objectsOf(reader)} AND ${IS_VISIBLE}`;
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
    WHERE file_id = ${id} AND ${reader === null ? sql`true` : resultsOf(reader)} AND status IN ('pending', 'passed_on')
      AND source_expires_at > clock_timestamp()`;
  return row === undefined ? null : { sourceUrl: row.source_url, isLeft: row.status === 'passed_on' };
}

/** Null: `after` names no object of this account. */
export async function listObjects(
  { prisma }: Database,
  reader: ObjectAccess,
  { after, limit, order, purpose }: ObjectQuery,
): Promise<readonly StoredObject[] | null> {
  const isNewestFirst = order === 'desc';
  const beyond = isNewestFirst ? sql`<` : sql`>`;
  const direction = isNewestFirst ? sql`DESC` : sql`ASC`;
  let position = NOTHING;
  if (after !== undefined) {
    const [last] = await prisma.$queryRaw<{ created_at: Date }[]>`
      SELECT created_at FROM stored_object WHERE id = ${after} AND ${isOf(reader)}`;
    if (last === undefined) return null;
    position = sql`AND (created_at, id) ${beyond} (${last.created_at}, ${after})`;
  }
  const rows = await prisma.$queryRaw<StoredObjectRow[]>`
    SELECT * FROM stored_object
    WHERE ${objectsOf(reader)} AND ${IS_VISIBLE}
      ${purpose === undefined ? NOTHING : sql`AND purpose = ${purpose}`} ${position}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ${limit}::int`;
  return rows.map(readObject);
}
