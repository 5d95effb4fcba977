import type { ConversationId } from '@gateway/contracts';
import type { Database } from '../database.js';
import { NOTHING, type Sql, sql } from '../sql.js';
import { toStorableJson } from '../storable-json.js';
import type { StateAccess } from './find-response.js';
import { bytesOfItems, STATE_RETENTION_MS, type StateItem } from './record-response.js';

export interface StoredConversation {
  readonly id: ConversationId;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  /** Every item has a smaller position. */
  readonly nextPosition: bigint;
  readonly bytes: bigint;
}

export interface NewConversation {
  readonly id: ConversationId;
  readonly accountId: string;
  readonly isTest: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly items: readonly StateItem[];
}

/** How much an account may keep in conversations. */
export interface ConversationLimits {
  readonly maxConversations: number;
  readonly maxBytes: number;
}

const COLUMNS = sql`id, metadata, created_at AS "createdAt", next_position AS "nextPosition", bytes`;

/** A key that is limited to models continues and reads what only these have continued. */
export const conversationsOf = ({ accountId, onlyTest, models = null }: StateAccess): Sql => sql`
  account_id = ${accountId} AND (is_test OR NOT ${onlyTest}) AND expires_at > now()
  ${models === null ? NOTHING : sql`AND models <@ ${[...models]}::text[]`}`;

const ownedBy = (reader: StateAccess, id: string): Sql => sql`id = ${id} AND ${conversationsOf(reader)}`;

const later = sql`now() + ${STATE_RETENTION_MS}::bigint * interval '1 millisecond'`;

/** Null: the account has reached a limit. */
export async function createConversation(
  { prisma }: Database,
  { id, accountId, isTest, metadata, items }: NewConversation,
  { maxConversations, maxBytes }: ConversationLimits,
): Promise<StoredConversation | null> {
  const bytes = bytesOfItems(items);
  const rows = await prisma.$queryRaw<StoredConversation[]>`
    WITH used AS (
      SELECT count(*) AS conversations, coalesce(sum(bytes), 0) AS bytes FROM conversation WHERE account_id = ${accountId}
    ), created AS (
      INSERT INTO conversation (id, account_id, is_test, metadata, next_position, bytes, expires_at)
      SELECT ${id}, ${accountId}, ${isTest}, ${toStorableJson(metadata)}::jsonb, ${items.length}::bigint, ${bytes}::bigint, ${later}
      FROM used WHERE conversations < ${maxConversations}::bigint AND used.bytes + ${bytes}::bigint <= ${maxBytes}::bigint
      RETURNING *
    ), added AS (
      INSERT INTO conversation_item (conversation_id, position, id, item)
      SELECT created.id, item.number - 1, item.id, item.json
      FROM created, unnest(${items.map((item) => item.id)}::text[], ${items.map(({ json }) => json)}::text[])
        WITH ORDINALITY AS item (id, json, number)
      ON CONFLICT DO NOTHING
    )
    SELECT ${COLUMNS} FROM created`;
  return rows[0] ?? null;
}

/** Null: this account has none. */
export async function findConversation(
  { prisma }: Database,
  reader: StateAccess,
  id: string,
): Promise<StoredConversation | null> {
  const [row] = await prisma.$queryRaw<StoredConversation[]>`
    SELECT ${COLUMNS} FROM conversation WHERE ${ownedBy(reader, id)}`;
  return row ?? null;
}

/** Replaces the metadata. Null: this account has no such conversation. */
export async function changeConversation(
  { prisma }: Database,
  reader: StateAccess,
  id: string,
  metadata: Readonly<Record<string, string>>,
): Promise<StoredConversation | null> {
  const [row] = await prisma.$queryRaw<StoredConversation[]>`
    UPDATE conversation SET metadata = ${toStorableJson(metadata)}::jsonb, expires_at = ${later}
    WHERE ${ownedBy(reader, id)} RETURNING ${COLUMNS}`;
  return row ?? null;
}

/** Removes a conversation with its items. False: this account has none. */
export async function deleteConversation({ prisma }: Database, reader: StateAccess, id: string): Promise<boolean> {
  return (await prisma.$executeRaw`DELETE FROM conversation WHERE ${ownedBy(reader, id)}`) > 0;
}
