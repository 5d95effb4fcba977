import type { ConversationId, ResponseId } from '@gateway/contracts';
import type { Database } from '../database.js';
import { NOTHING, type Sql, sql } from '../sql.js';

/** Responses and unused conversations are removed after this time. */
export const STATE_RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** One item of a list, with its id. `json` is the item as the client sees it. */
export interface StateItem {
  readonly id: string;
  readonly json: string;
}

/** Counted as UTF-8, as PostgreSQL stores and `octet_length` counts it. */
const bytesOf = ({ json }: StateItem): number => Buffer.byteLength(json);

export const bytesOfItems = (items: readonly StateItem[]): number =>
  items.reduce((sum, item) => sum + bytesOf(item), 0);

/** A finished response, with what its request added to the history. */
export interface FinishedResponse {
  readonly id: ResponseId;
  readonly accountId: string;
  readonly keyId: string;
  readonly isTest: boolean;
  readonly model: string;
  readonly status: string;
  readonly previousId: string | null;
  /** The JSON of the request's own new items, or of its one text. */
  readonly input: string;
  /** The JSON of the response object. */
  readonly response: string;
  readonly outputItemIds: readonly string[];
  /** The conversation that the response belongs to. Its new items are appended, unless the conversation is gone. */
  readonly conversation?: {
    readonly id: ConversationId;
    /** The items before this position were part of the prompt. */
    readonly position: bigint;
    readonly newItems: readonly StateItem[];
  };
}

const expiryFor = (accountId: string): Sql =>
  sql`kept_until(${accountId}, now() + ${STATE_RETENTION_MS}::bigint * interval '1 millisecond')`;

/**
 * Stores a response once: a repetition changes nothing, also not the conversation. Not yet run: it may be part of a
 * transaction. `request`: only if this request is stored.
 */
export function recordResponse(
  { prisma }: Database,
  finished: FinishedResponse,
  request?: { readonly requestId: string },
) {
  const { id, accountId, keyId, isTest, model, status, previousId, input, response, conversation } = finished;
  const bytes = Buffer.byteLength(input) + Buffer.byteLength(response);
  return prisma.$executeRaw`
    WITH stored AS (
      INSERT INTO stored_response (id, account_id, key_id, is_test, model, status, previous_id, conversation_id,
        conversation_position, input, response, bytes, expires_at)
      SELECT ${id}, ${accountId}, ${keyId}, ${isTest}, ${model}, ${status}, ${previousId}, ${conversation?.id ?? null},
        ${conversation?.position ?? null}::bigint, ${input}, ${response}, ${bytes}::int,
        ${expiryFor(accountId)}
      ${request === undefined ? NOTHING : sql`WHERE EXISTS (SELECT 1 FROM durable_request WHERE durable_request.id = ${request.requestId})`}
      ON CONFLICT (id) DO NOTHING RETURNING id, model
    )${addItems(finished)}`;
}

/** What a finished response adds, after a `WITH` list that has `stored` with its id and model. */
export const addItems = ({
  accountId,
  outputItemIds,
  conversation,
}: Pick<FinishedResponse, 'accountId' | 'outputItemIds'> & {
  readonly conversation?: Pick<NonNullable<FinishedResponse['conversation']>, 'id' | 'newItems'>;
}): Sql => sql`, items AS (
      INSERT INTO stored_response_item (account_id, id, response_id)
      SELECT ${accountId}, item_id, stored.id FROM stored, unnest(${[...outputItemIds]}::text[]) AS item_id
      ON CONFLICT DO NOTHING
    )
    ${conversation === undefined ? sql`SELECT 1` : appendTurn(accountId, conversation.id, conversation.newItems)}`;

/**
 * Appends items that the conversation does not have yet, in one block of positions. It follows a `WITH` list.
 * The row of the conversation is locked, so concurrent appends do not mix.
 */
const appendTurn = (accountId: string, conversationId: string, items: readonly StateItem[]): Sql =>
  sql`${reserveBlock(accountId, conversationId, items, { condition: IF_STORED, models: WITH_MODEL })} ${insertIntoBlock(items)}`;

const IF_STORED = sql`EXISTS (SELECT 1 FROM stored)`;
/** `stored` is read once, before the row is locked. */
const MODEL = sql`(SELECT model FROM stored)`;
const WITH_MODEL = sql`array_append(array_remove(conversation.models, ${MODEL}), ${MODEL})`;
const SAME_MODELS = sql`conversation.models`;

/**
 * The `fresh` items, which the conversation does not have, with their bytes, and a `block` of positions. It follows a `WITH` list.
 * The condition may read `fresh`.
 */
export const reserveBlock = (
  accountId: string,
  conversationId: string,
  items: readonly StateItem[],
  { condition, models = SAME_MODELS }: { readonly condition: Sql; readonly models?: Sql },
): Sql => sql`, fresh AS (
      SELECT coalesce(sum(given.bytes), 0)::bigint AS bytes FROM (
        SELECT DISTINCT ON (id) id, bytes
        FROM unnest(${items.map(({ id }) => id)}::text[], ${items.map(bytesOf)}::bigint[]) AS one (id, bytes)
      ) AS given WHERE NOT EXISTS (
        SELECT 1 FROM conversation_item AS kept WHERE kept.id = given.id AND kept.conversation_id = ${conversationId}
      )
    ), block AS (
      UPDATE conversation SET next_position = next_position + ${items.length}::bigint, bytes = conversation.bytes + fresh.bytes,
        models = ${models}, expires_at = ${expiryFor(accountId)}
      FROM fresh WHERE id = ${conversationId} AND account_id = ${accountId} AND ${condition}
      RETURNING id, next_position - ${items.length}::bigint AS first
    )`;

/** Puts the items into their `block`. */
export const insertIntoBlock = (items: readonly StateItem[]): Sql => sql`
    INSERT INTO conversation_item (conversation_id, position, id, item)
    SELECT block.id, block.first + added.number - 1, added.id, added.item
    FROM block, unnest(${items.map(({ id }) => id)}::text[], ${items.map(({ json }) => json)}::text[])
      WITH ORDINALITY AS added (id, item, number)
    ON CONFLICT (id, conversation_id) DO NOTHING`;
