import type { FilePurpose, StoredObject } from '@gateway/contracts';
import type { Database } from '../database.js';
import { Prisma } from '../generated/client.js';
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
}

const IS_VISIBLE = Prisma.sql`status = 'ready' AND (expires_at IS NULL OR expires_at > clock_timestamp())`;

/** Null: this account has none. */
export async function findObject(
  { prisma }: Database,
  { accountId, isTest }: ObjectAccess,
  id: string,
): Promise<StoredObject | null> {
  const [row] = await prisma.$queryRaw<StoredObjectRow[]>`
    SELECT * FROM stored_object
    WHERE id = ${id} AND account_id = ${accountId} AND is_test = ${isTest} AND ${IS_VISIBLE}`;
  return row === undefined ? null : readObject(row);
}

/** For the bearer of a signed address: the signature was the account's. Null: there is none. */
export async function findSignedObject({ prisma }: Database, id: string): Promise<StoredObject | null> {
  const [row] = await prisma.$queryRaw<
    StoredObjectRow[]
  >`SELECT * FROM stored_object WHERE id = ${id} AND ${IS_VISIBLE}`;
  return row === undefined ? null : readObject(row);
}

/** Null: `after` names no object of this account. */
export async function listObjects(
  { prisma }: Database,
  { accountId, isTest }: ObjectAccess,
  { after, limit, order, purpose }: ObjectQuery,
): Promise<readonly StoredObject[] | null> {
  const isNewestFirst = order === 'desc';
  const beyond = isNewestFirst ? Prisma.sql`<` : Prisma.sql`>`;
  const direction = isNewestFirst ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  let position = Prisma.empty;
  if (after !== undefined) {
    const [last] = await prisma.$queryRaw<{ created_at: Date }[]>`
      SELECT created_at FROM stored_object WHERE id = ${after} AND account_id = ${accountId} AND is_test = ${isTest}`;
    if (last === undefined) return null;
    position = Prisma.sql`AND (created_at, id) ${beyond} (${last.created_at}, ${after})`;
  }
  const rows = await prisma.$queryRaw<StoredObjectRow[]>`
    SELECT * FROM stored_object
    WHERE account_id = ${accountId} AND is_test = ${isTest} AND ${IS_VISIBLE}
      ${purpose === undefined ? Prisma.empty : Prisma.sql`AND purpose = ${purpose}`} ${position}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ${limit}::int`;
  return rows.map(readObject);
}
