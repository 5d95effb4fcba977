import type { Database } from '../database.js';
import { type Sql, sql } from '../sql.js';

/** The account that reads. A test key reads what test keys created. */
export interface StateAccess {
  readonly accountId: string;
  readonly onlyTest: boolean;
  /** Of conversations, those that only these models have continued. Null: all. */
  readonly models?: readonly string[] | null;
}

/** A stored response, or one turn of a history. */
export interface StoredTurn {
  readonly id: string;
  readonly model: string;
  readonly status: string;
  readonly previousId: string | null;
  readonly conversationId: string | null;
  readonly conversationPosition: bigint | null;
  readonly input: string;
  readonly response: string;
}

/** A stored response without its input. */
export interface StoredAnswer {
  readonly id: string;
  readonly model: string;
  readonly status: string;
  readonly inputBytes: number;
  readonly responseBytes: number;
  /** Null: it is longer than the reader asked for. */
  readonly response: string | null;
}

/** The responses from the first one to the requested one. */
export interface ResponseChain {
  readonly turns: readonly StoredTurn[];
  /** The chain has more bytes than requested, so its beginning is missing. */
  readonly isTooLong: boolean;
}

const HEAD = sql`stored_response.id, model, status, stored_response.previous_id AS "previousId",
  stored_response.conversation_id AS "conversationId", conversation_position AS "conversationPosition"`;
const COLUMNS = sql`${HEAD}, input, response`;

/** Rows that the reader may see. */
const visibleTo = ({ accountId, onlyTest }: StateAccess): Sql =>
  sql`account_id = ${accountId} AND (is_test OR NOT ${onlyTest}) AND expires_at > now()`;

/** Null: this account has none. A long text is measured only: its caller takes room for it first. */
export async function findResponse(
  { prisma }: Database,
  reader: StateAccess,
  id: string,
  maxBytes: number,
): Promise<StoredAnswer | null> {
  const [row] = await prisma.$queryRaw<StoredAnswer[]>`
    SELECT id, model, status, octet_length(input) AS "inputBytes", octet_length(response) AS "responseBytes",
      CASE WHEN octet_length(response) <= ${maxBytes}::int THEN response END AS response
    FROM stored_response WHERE id = ${id} AND ${visibleTo(reader)}`;
  return row ?? null;
}

/** A text of a response, whatever its length. Null: this account has no such response. */
export async function readResponseText(
  { prisma }: Database,
  reader: StateAccess,
  id: string,
  column: 'input' | 'response',
): Promise<string | null> {
  const text = column === 'input' ? sql`input` : sql`response`;
  const [row] = await prisma.$queryRaw<{ readonly text: string }[]>`
    SELECT ${text} AS text FROM stored_response WHERE id = ${id} AND ${visibleTo(reader)}`;
  return row?.text ?? null;
}

/** The recursion carries no text. It stops at the first response that makes the chain too long. */
const chainOf = (reader: StateAccess, id: string, maxBytes: number): Sql => sql`
  WITH RECURSIVE chain AS (
    SELECT id, previous_id, bytes::bigint AS total, 0 AS depth
    FROM stored_response WHERE id = ${id} AND ${visibleTo(reader)}
    UNION ALL
    SELECT earlier.id, earlier.previous_id, chain.total + earlier.bytes, depth + 1
    FROM chain JOIN stored_response AS earlier ON earlier.id = chain.previous_id
    WHERE chain.total <= ${maxBytes}::bigint AND ${visibleTo(reader)}
  )`;

/** Bytes of a response with all that it continues. Above `maxBytes` it counts no further. */
export async function measureChain(
  { prisma }: Database,
  reader: StateAccess,
  id: string,
  maxBytes: number,
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ readonly bytes: bigint | null }[]>`
    ${chainOf(reader, id, maxBytes)} SELECT max(total) AS bytes FROM chain`;
  return Number(row?.bytes ?? 0);
}

/** A response with all that it continues, in one statement. A response that is too long has no text. Null: this account has no such response. */
export async function readChain(
  { prisma }: Database,
  reader: StateAccess,
  id: string,
  maxBytes: number,
): Promise<ResponseChain | null> {
  const rows = await prisma.$queryRaw<(StoredTurn & { readonly total: bigint })[]>`
    ${chainOf(reader, id, maxBytes)}
    SELECT ${HEAD}, chain.total,
      CASE WHEN chain.total <= ${maxBytes}::bigint THEN input ELSE '' END AS input,
      CASE WHEN chain.total <= ${maxBytes}::bigint THEN response ELSE '' END AS response
    FROM chain JOIN stored_response ON stored_response.id = chain.id
    WHERE chain.total <= ${maxBytes}::bigint OR depth = 0 ORDER BY depth DESC`;
  const first = rows[0];
  if (first === undefined) return null;
  return { turns: rows, isTooLong: first.total > maxBytes || (await hasEarlier({ prisma }, reader, first)) };
}

/** Whether what a turn continues still exists. Only asked for a chain that seems broken. */
async function hasEarlier(
  { prisma }: Pick<Database, 'prisma'>,
  reader: StateAccess,
  { previousId }: StoredTurn,
): Promise<boolean> {
  if (previousId === null) return false;
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM stored_response WHERE id = ${previousId} AND ${visibleTo(reader)}`;
  return rows.length > 0;
}

/** Removes a response. False: this account has none. */
export async function deleteResponse({ prisma }: Database, reader: StateAccess, id: string): Promise<boolean> {
  const removed = await prisma.$executeRaw`
    DELETE FROM stored_response WHERE id = ${id} AND ${visibleTo(reader)}`;
  return removed > 0;
}

/** Output items, and responses, by their ids. */
export interface StateReferences {
  readonly itemIds: readonly string[];
  readonly responseIds: readonly string[];
}

const isReferenced = (reader: StateAccess, { itemIds, responseIds }: StateReferences): Sql => sql`
  ${visibleTo(reader)} AND id IN (
    SELECT unnest(${[...responseIds]}::text[])
    UNION
    SELECT response_id FROM stored_response_item
    WHERE account_id = ${reader.accountId} AND id = ANY(${[...itemIds]}::text[]))`;

/** The responses that have one of these output items, and the responses with these ids. */
export function findReferenced(
  { prisma }: Database,
  reader: StateAccess,
  references: StateReferences,
): Promise<readonly StoredTurn[]> {
  return prisma.$queryRaw<StoredTurn[]>`
    SELECT ${COLUMNS} FROM stored_response WHERE ${isReferenced(reader, references)}`;
}

/** Bytes of the responses that `findReferenced` returns. */
export async function measureReferenced(
  { prisma }: Database,
  reader: StateAccess,
  references: StateReferences,
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ readonly bytes: bigint | null }[]>`
    SELECT sum(bytes)::bigint AS bytes FROM stored_response WHERE ${isReferenced(reader, references)}`;
  return Number(row?.bytes ?? 0);
}
