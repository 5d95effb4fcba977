import { type Database, type DatabaseOptions, openDatabase } from '../database.js';
import {
  type AddedItems,
  addConversationItems,
  deleteConversationItem,
  findConversationItem,
  findConversationItems,
  type ItemLimits,
  type ItemPage,
  listConversationItems,
  measureConversationItem,
  measureConversationItems,
  readConversationItems,
} from './conversation-items.js';
import {
  type ConversationLimits,
  changeConversation,
  createConversation,
  deleteConversation,
  findConversation,
  type NewConversation,
  type StoredConversation,
} from './conversations.js';
import {
  deleteResponse,
  findReferenced,
  findResponse,
  measureChain,
  measureReferenced,
  type ResponseChain,
  readChain,
  readResponseText,
  type StateAccess,
  type StateReferences,
  type StoredAnswer,
  type StoredTurn,
} from './find-response.js';
import { type FinishedResponse, recordResponse, type StateItem } from './record-response.js';

/** Stored responses by account. Every call rejects if PostgreSQL is unavailable. */
export interface StoredResponses {
  /** Idempotent by the response's id. */
  record(finished: FinishedResponse): Promise<void>;
  /** A response without its input, and without its text above `maxBytes`. */
  find(reader: StateAccess, id: string, maxBytes: number): Promise<StoredAnswer | null>;
  readText(reader: StateAccess, id: string, column: 'input' | 'response'): Promise<string | null>;
  /** A response with all that it continues, up to `maxBytes`. */
  readChain(reader: StateAccess, id: string, maxBytes: number): Promise<ResponseChain | null>;
  /** Bytes of a response with all that it continues. Above `maxBytes` it counts no further. */
  measureChain(reader: StateAccess, id: string, maxBytes: number): Promise<number>;
  /** The responses with these ids or output items. */
  findReferenced(reader: StateAccess, references: StateReferences): Promise<readonly StoredTurn[]>;
  /** Bytes of the responses that `findReferenced` returns. */
  measureReferenced(reader: StateAccess, references: StateReferences): Promise<number>;
  delete(reader: StateAccess, id: string): Promise<boolean>;
}

/** Conversations by account. The calls for items expect that the caller has found the conversation. */
export interface Conversations {
  /** Null: the account has reached a limit. */
  create(conversation: NewConversation, limits: ConversationLimits): Promise<StoredConversation | null>;
  find(reader: StateAccess, id: string): Promise<StoredConversation | null>;
  change(
    reader: StateAccess,
    id: string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<StoredConversation | null>;
  delete(reader: StateAccess, id: string): Promise<boolean>;
  /** Nothing is added if the new items exceed a limit. */
  addItems(reader: StateAccess, id: string, items: readonly StateItem[], limits: ItemLimits): Promise<AddedItems>;
  listItems(id: string, page: ItemPage): Promise<readonly StateItem[]>;
  /** Bytes of the items of a page. */
  measureItems(id: string, page: ItemPage): Promise<number>;
  /** Bytes of an item. Null: the conversation has none with this id. */
  measureItem(id: string, itemId: string): Promise<number | null>;
  /** All items before a position, the oldest first. */
  readItems(id: string, before: bigint): Promise<readonly StateItem[]>;
  /** The items with these ids, of any conversation of the account. */
  findItems(reader: StateAccess, ids: readonly string[]): Promise<readonly StateItem[]>;
  findItem(id: string, itemId: string): Promise<StateItem | null>;
  deleteItem(id: string, itemId: string): Promise<boolean>;
}

export interface ResponseState {
  readonly responses: StoredResponses;
  readonly conversations: Conversations;
  close(): Promise<void>;
}

/** Opens connections of its own, so that a long history does not delay short statements. */
export const openResponseState = (options: DatabaseOptions): ResponseState => responseStateIn(openDatabase(options));

export const responseStateIn = (database: Database): ResponseState => ({
  responses: {
    record: async (finished) => {
      await recordResponse(database, finished);
    },
    find: (reader, id, maxBytes) => findResponse(database, reader, id, maxBytes),
    readText: (reader, id, column) => readResponseText(database, reader, id, column),
    readChain: (reader, id, maxBytes) => readChain(database, reader, id, maxBytes),
    measureChain: (reader, id, maxBytes) => measureChain(database, reader, id, maxBytes),
    measureReferenced: (reader, references) => measureReferenced(database, reader, references),
    findReferenced: (reader, references) => findReferenced(database, reader, references),
    delete: (reader, id) => deleteResponse(database, reader, id),
  },
  conversations: {
    create: (conversation, limits) => createConversation(database, conversation, limits),
    find: (reader, id) => findConversation(database, reader, id),
    change: (reader, id, metadata) => changeConversation(database, reader, id, metadata),
    delete: (reader, id) => deleteConversation(database, reader, id),
    addItems: (reader, id, items, limits) => addConversationItems(database, reader, id, items, limits),
    listItems: (id, page) => listConversationItems(database, id, page),
    measureItems: (id, page) => measureConversationItems(database, id, page),
    measureItem: (id, itemId) => measureConversationItem(database, id, itemId),
    readItems: (id, before) => readConversationItems(database, id, before),
    findItems: (reader, ids) => findConversationItems(database, reader, ids),
    findItem: (id, itemId) => findConversationItem(database, id, itemId),
    deleteItem: (id, itemId) => deleteConversationItem(database, id, itemId),
  },
  close: database.close,
});
