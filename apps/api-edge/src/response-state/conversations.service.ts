import {
  type ConversationRecord,
  GatewayError,
  type IdentifiedItem,
  type ItemListQuery,
  isStateId,
  itemPrefixOf,
  type KeyRecord,
  MAX_HISTORY_BYTES,
  newConversationId,
  newItemId,
  noConversation,
  type ResponseItem,
  type ResponseItemList,
  renderResponseItem,
} from '@gateway/contracts';
import type { Conversations, StateItem, StoredConversation } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { FundsCheck, TakeRoom } from '../edge-request.js';
import { CONVERSATIONS, FUNDS_CHECK } from '../tokens.js';
import { itemList, unknownAfter } from './item-pages.js';
import { SHORT_HISTORY_BYTES, takeRoomFor } from './response-history.service.js';
import { accessOf, orUnavailable, soonOrUnavailable } from './state-access.js';

/** What an account may keep, because conversations cost nothing. */
const LIMITS = { maxConversations: 10_000, maxBytes: 1024 ** 3, size: '1 GiB' } as const;
/** The same for an account without credit: anybody may register one. */
const LIMITS_WITHOUT_CREDIT = { maxConversations: 100, maxBytes: 4 * 1024 ** 2, size: '4 MiB' } as const;

type NewItem = Readonly<Record<string, unknown>>;
type Metadata = Readonly<Record<string, string>>;

/** The conversations of an account: lists of items that responses read and extend. */
@Injectable()
export class ConversationStore {
  constructor(
    @Inject(CONVERSATIONS) private readonly conversations: Conversations,
    @Inject(FUNDS_CHECK) private readonly funds: FundsCheck,
  ) {}

  /** Throws 400 if the account has too many. */
  async create(key: KeyRecord, metadata: Metadata, items: readonly NewItem[]): Promise<ConversationRecord> {
    const { accountId } = accessOf(key);
    const limits = await this.#limitsOf(key);
    const rows = items.map(asRow);
    const created = await storing(
      rows,
      this.conversations.create(
        { id: newConversationId(), accountId, isTest: key.isTest, metadata, items: rows },
        limits,
      ),
    );
    if (created !== null) return render(created);
    throw tooMany(limits);
  }

  async get(key: KeyRecord, id: string): Promise<ConversationRecord> {
    return render(await this.#find(key, id));
  }

  async change(key: KeyRecord, id: string, metadata: Metadata): Promise<ConversationRecord> {
    const reader = accessOf(key);
    const changed = isStateId(id) ? await soonOrUnavailable(this.conversations.change(reader, id, metadata)) : null;
    if (changed === null) throw notFound(id);
    return render(changed);
  }

  async delete(key: KeyRecord, id: string): Promise<void> {
    const reader = accessOf(key);
    if (!isStateId(id) || !(await soonOrUnavailable(this.conversations.delete(reader, id)))) throw notFound(id);
  }

  /** Returns the items in the order of the request. One that the conversation has already is not added again. Throws 400 beyond a limit. */
  async addItems(key: KeyRecord, id: string, items: readonly NewItem[]): Promise<ResponseItemList> {
    const found = await this.#find(key, id);
    const rows = items.map(asRow);
    const limits = await this.#limitsOf(key);
    const { maxBytes } = limits;
    const { isAdded, newBytes } = await storing(
      rows,
      this.conversations.addItems(accessOf(key), id, rows, { maxConversationBytes: MAX_HISTORY_BYTES, maxBytes }),
    );
    if (!isAdded) throw found.bytes + newBytes > MAX_HISTORY_BYTES ? tooLong() : tooMany(limits);
    return itemList(rows.map(fromRow), false);
  }

  /** A long page takes room, and has its pace. Throws 400 for an unknown `after`, 404, 429 and 503. */
  async listItems(
    key: KeyRecord,
    id: string,
    { after, limit, order }: ItemListQuery,
    takeRoom: TakeRoom,
  ): Promise<ResponseItemList> {
    const { bytes } = await this.#find(key, id);
    if (after !== undefined && (await this.#measure(id, after)) === null) throw unknownAfter();
    const page = { limit: limit + 1, order, ...(after !== undefined && { after }) };
    if (bytes > SHORT_HISTORY_BYTES)
      takeRoomFor(await soonOrUnavailable(this.conversations.measureItems(id, page)), takeRoom);
    const found = await orUnavailable(this.conversations.listItems(id, page));
    return itemList(found.slice(0, limit).map(fromRow), found.length > limit);
  }

  /** Throws 404, and 429 or 503 for a long item without room. */
  async getItem(key: KeyRecord, id: string, itemId: string, takeRoom: TakeRoom): Promise<ResponseItem> {
    const { bytes } = await this.#find(key, id);
    if (bytes > SHORT_HISTORY_BYTES) takeRoomFor((await this.#measure(id, itemId)) ?? 0, takeRoom);
    const item = isStateId(itemId) ? await orUnavailable(this.conversations.findItem(id, itemId)) : null;
    if (item === null) throw noItem(itemId);
    return renderResponseItem(fromRow(item));
  }

  /** Returns the conversation. Throws 404. */
  async deleteItem(key: KeyRecord, id: string, itemId: string): Promise<ConversationRecord> {
    const found = await this.#find(key, id);
    if (!isStateId(itemId) || !(await soonOrUnavailable(this.conversations.deleteItem(id, itemId))))
      throw noItem(itemId);
    return render(found);
  }

  /** Bytes of an item. Null: the conversation has none with this id. */
  async #measure(id: string, itemId: string): Promise<number | null> {
    return isStateId(itemId) ? soonOrUnavailable(this.conversations.measureItem(id, itemId)) : null;
  }

  /** A test key spends nothing, so the account's credit decides for it too. */
  async #limitsOf({ accountId }: KeyRecord): Promise<typeof LIMITS | typeof LIMITS_WITHOUT_CREDIT> {
    return (await this.funds.maySpend({ accountId, isTest: false })) ? LIMITS : LIMITS_WITHOUT_CREDIT;
  }

  /** Throws 404, also for a conversation of another account. */
  async #find(key: KeyRecord, id: string): Promise<StoredConversation> {
    const reader = accessOf(key);
    const found = isStateId(id) ? await soonOrUnavailable(this.conversations.find(reader, id)) : null;
    if (found === null) throw notFound(id);
    return found;
  }
}

const tooLong = (): GatewayError =>
  new GatewayError('request_too_large', "'items': a conversation has at most 32 MiB.", { param: 'items' });

const tooMany = (limits: typeof LIMITS | typeof LIMITS_WITHOUT_CREDIT): GatewayError =>
  new GatewayError(
    'invalid_request',
    `An account ${limits === LIMITS ? '' : 'without credit '}keeps at most ${limits.maxConversations} conversations with ${limits.size} in all. Delete some first.`,
  );

const MAX_SHOWN = 100;

const notFound = (id: string): GatewayError => noConversation(id, 'conversation_id');

const noItem = (id: string): GatewayError =>
  new GatewayError('not_found', `Item with id '${id.slice(0, MAX_SHOWN)}' not found.`, { param: 'item_id' });

const asRow = (item: NewItem): StateItem => ({
  id: typeof item.id === 'string' ? item.id : newItemId(itemPrefixOf(item)),
  json: JSON.stringify(item),
});

/** Many megabytes may take longer. */
const storing = <Stored>(rows: readonly StateItem[], write: Promise<Stored>): Promise<Stored> => {
  const length = rows.reduce((sum, { json }) => sum + json.length, 0);
  return length > SHORT_HISTORY_BYTES ? orUnavailable(write) : soonOrUnavailable(write);
};

const fromRow = ({ id, json }: StateItem): IdentifiedItem => ({ id, item: JSON.parse(json) as NewItem });

const render = ({ id, metadata, createdAt }: StoredConversation): ConversationRecord => ({
  id,
  object: 'conversation',
  created_at: Math.floor(createdAt.getTime() / 1_000),
  metadata,
});
