import type { Database } from '../database.js';
import { NOTHING, type Sql, sql } from '../sql.js';
import { conversationsOf } from './conversations.js';
import type { StateAccess } from './find-response.js';
import { insertIntoBlock, reserveBlock, type StateItem } from './record-response.js';

/** One page of items. `after`: the id of the last item of the page before. */
export interface ItemPage {
  readonly after?: string;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** The rows of one page, in their order. */
function rowsOf(conversationId: string, { after, limit, order }: ItemPage): Sql {
  const [direction, compare] = order === 'asc' ? [sql`ASC`, sql`>`] : [sql`DESC`, sql`<`];
  const from =
    after === undefined
      ? NOTHING
      : sql`AND position ${compare} (SELECT position FROM conversation_item AS last
          WHERE last.id = ${after} AND last.conversation_id = ${conversationId})`;
  return sql`
    FROM conversation_item WHERE conversation_id = ${conversationId} ${from}
    ORDER BY position ${direction} LIMIT ${limit}::int`;
}

/** One page of a conversation's items. The caller has checked the conversation. */
export const listConversationItems = (
  { prisma }: Database,
  conversationId: string,
  page: ItemPage,
): Promise<readonly StateItem[]> =>
  prisma.$queryRaw<StateItem[]>`SELECT id, item AS json ${rowsOf(conversationId, page)}`;

/** Bytes of the items that `listConversationItems` returns. */
export async function measureConversationItems(
  { prisma }: Database,
  conversationId: string,
  page: ItemPage,
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ readonly bytes: bigint | null }[]>`
    SELECT sum(bytes)::bigint AS bytes
    FROM (SELECT octet_length(item) AS bytes ${rowsOf(conversationId, page)}) AS page`;
  return Number(row?.bytes ?? 0n);
}

/** Bytes of one item. Null: the conversation has no such item. */
export async function measureConversationItem(
  { prisma }: Database,
  conversationId: string,
  id: string,
): Promise<number | null> {
  const [row] = await prisma.$queryRaw<{ readonly bytes: number }[]>`
    SELECT octet_length(item) AS bytes FROM conversation_item
    WHERE id = ${id} AND conversation_id = ${conversationId}`;
  return row?.bytes ?? null;
}

/** All items before a position, the oldest first. */
export function readConversationItems(
  { prisma }: Database,
  conversationId: string,
  before: bigint,
): Promise<readonly StateItem[]> {
  return prisma.$queryRaw<StateItem[]>`
    SELECT id, item AS json FROM conversation_item
    WHERE conversation_id = ${conversationId} AND position < ${before}::bigint ORDER BY position`;
}

/** Null: the conversation has no such item. The caller has checked the conversation. */
export async function findConversationItem(
  { prisma }: Database,
  conversationId: string,
  id: string,
): Promise<StateItem | null> {
  const [row] = await prisma.$queryRaw<StateItem[]>`
    SELECT id, item AS json FROM conversation_item WHERE id = ${id} AND conversation_id = ${conversationId}`;
  return row ?? null;
}

/** The items with these ids, of any conversation of the account. */
export function findConversationItems(
  { prisma }: Database,
  reader: StateAccess,
  ids: readonly string[],
): Promise<readonly StateItem[]> {
  return prisma.$queryRaw<StateItem[]>`
    SELECT DISTINCT ON (item.id) item.id, item AS json FROM conversation_item AS item
    JOIN conversation ON conversation.id = conversation_id
    WHERE item.id = ANY(${[...ids]}::text[]) AND ${conversationsOf(reader)}
    ORDER BY item.id`;
}

/** What one conversation may have, and all of its account together. */
export interface ItemLimits {
  readonly maxConversationBytes: number;
  readonly maxBytes: number;
}

/** Whether items were added, and the bytes of those that the conversation did not have. */
export interface AddedItems {
  readonly isAdded: boolean;
  readonly newBytes: bigint;
}

/** Appends items that the conversation does not have yet. Nothing is added if they exceed a limit. */
export async function addConversationItems(
  { prisma }: Database,
  { accountId }: StateAccess,
  id: string,
  items: readonly StateItem[],
  { maxConversationBytes, maxBytes }: ItemLimits,
): Promise<AddedItems> {
  const fits = sql`conversation.bytes + fresh.bytes <= ${maxConversationBytes}::bigint
    AND (SELECT sum(bytes) FROM conversation AS kept WHERE kept.account_id = ${accountId}) + fresh.bytes <= ${maxBytes}::bigint`;
  const [added] = await prisma.$queryRaw<AddedItems[]>`
    WITH unconditional AS (SELECT 1) ${reserveBlock(accountId, id, items, { condition: fits })}, added AS (${insertIntoBlock(items)})
    SELECT EXISTS (SELECT 1 FROM block) AS "isAdded", bytes AS "newBytes" FROM fresh`;
  if (added === undefined) throw new Error('the sum of new items has no row');
  return added;
}

/** Removes one item of a conversation that the caller has checked. False: the conversation has no such item. */
export async function deleteConversationItem(
  { prisma }: Database,
  conversationId: string,
  id: string,
): Promise<boolean> {
  const removed = await prisma.$executeRaw`
    WITH removed AS (
      DELETE FROM conversation_item WHERE conversation_id = ${conversationId} AND id = ${id} RETURNING octet_length(item) AS bytes
    )
    UPDATE conversation SET bytes = conversation.bytes - removed.bytes FROM removed WHERE conversation.id = ${conversationId}`;
  return removed > 0;
}
