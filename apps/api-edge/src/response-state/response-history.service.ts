import {
  type ConversationId,
  GatewayError,
  historyTooLong,
  inputItems,
  isStateId,
  type KeyRecord,
  MAX_HISTORY_BYTES,
  noConversation,
  noReferencedItem,
  outputItems,
  PENDING_STATUS,
  responseOfItem,
  STATE_FORMS,
  type StateForm,
  turnItems,
} from '@gateway/contracts';
import { mayUseModel } from '@gateway/intake';
import type { Conversations, ResponseChain, StateAccess, StoredResponses, StoredTurn } from '@gateway/postgres';
import { atMost } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { TakeRoom } from '../edge-request.js';
import { CONVERSATIONS, STORED_RESPONSES } from '../tokens.js';
import { outputElements } from './request-members.js';
import { accessOf, orUnavailable, soonOrUnavailable } from './state-access.js';

/** A shorter history takes no room: its request does not either. */
export const SHORT_HISTORY_BYTES = 1024 * 1024;
/** A list is parsed whole, for one page of it. */
const MAX_LISTED_BYTES = 8 * 1024 * 1024;
/** Items are parsed with the turns that they are in. */
const MAX_REFERENCED_BYTES = 16 * 1024 * 1024;

const MAX_REMEMBERED = 10_000;

/** What comes before a request's own input: lists of JSON elements, the oldest first. */
export interface History {
  readonly elements: readonly Buffer[];
  /** The conversation, with the position of its next item. */
  readonly conversation?: { readonly id: ConversationId; readonly position: bigint };
}

/** Reads what a request continues, as the account of its key may see it. */
@Injectable()
export class ResponseHistory {
  /** Responses whose history was long. It gets no shorter. */
  readonly #longHistories = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  constructor(
    @Inject(STORED_RESPONSES) private readonly responses: StoredResponses,
    @Inject(CONVERSATIONS) private readonly conversations: Conversations,
  ) {}

  /** Throws 404 for a response that is gone or of another account, 413 for a history that no model can read. */
  async before(
    key: KeyRecord,
    previousId: string,
    takeRoom: TakeRoom,
    form: StateForm = STATE_FORMS.responses,
  ): Promise<History> {
    const reader = accessOf(key, form);
    const chain = form.owns(previousId)
      ? await this.#chainWithRoom(reader, previousId, takeRoom, MAX_HISTORY_BYTES)
      : null;
    if (chain === null || !chain.turns.every(isOfModelsOf(key))) throw form.noPrevious(previousId);
    if (chain.turns.some(({ status }) => status === PENDING_STATUS)) throw form.previousRuns(previousId);
    return { elements: await this.#elementsOf(reader, chain, { takeRoom, form }) };
  }

  /** Throws 404 for a conversation that is gone or of another account, 413 for one that no model can read. */
  async of(key: KeyRecord, conversationId: string, takeRoom: TakeRoom): Promise<History> {
    const reader = accessOf(key);
    const found = isStateId(conversationId)
      ? await soonOrUnavailable(this.conversations.find(reader, conversationId))
      : null;
    if (found === null) throw noConversation(conversationId, 'conversation');
    if (found.bytes > MAX_HISTORY_BYTES) throw historyTooLong('conversation');
    takeRoomFor(Number(found.bytes), takeRoom);
    const items = await orUnavailable(this.conversations.readItems(found.id, found.nextPosition));
    return {
      elements: items.map(({ json }) => Buffer.from(json)),
      conversation: { id: found.id, position: found.nextPosition },
    };
  }

  /** The input and output of a response and of all that it continues. Null: the key may not read one of them, or there is none. */
  async items(key: KeyRecord, responseId: string, takeRoom: TakeRoom) {
    const reader = accessOf(key);
    const isOwn = STATE_FORMS.responses.owns(responseId);
    const chain = isOwn ? await this.#chainWithRoom(reader, responseId, takeRoom, MAX_LISTED_BYTES) : null;
    if (chain?.isTooLong === true) throw tooLongToList();
    const last = chain?.turns.at(-1);
    if (chain === null || last === undefined || !chain.turns.every(isOfModelsOf(key))) return null;
    const earlier = await this.#listedConversation(reader, chain.turns[0], takeRoom);
    const turns = chain.turns.flatMap((turn) => [
      ...inputItems(turn.input, turn.id),
      ...(turn === last ? [] : outputItems(JSON.parse(turn.response) as Record<string, unknown>)),
    ]);
    return [...earlier.map(({ id, json }) => ({ id, item: JSON.parse(json) as Record<string, unknown> })), ...turns];
  }

  /** The items with these ids. Throws 404 if one is missing. */
  async referenced(key: KeyRecord, ids: readonly string[], takeRoom: TakeRoom): Promise<ReadonlyMap<string, object>> {
    const reader = accessOf(key);
    const known = ids.filter(isStateId);
    const references = { itemIds: known, responseIds: known.flatMap((id) => responseOfItem(id) ?? []) };
    const bytes = await soonOrUnavailable(this.responses.measureReferenced(reader, references));
    if (bytes > MAX_REFERENCED_BYTES) throw tooMuchReferenced();
    takeRoomFor(bytes, takeRoom);
    const [turns, ofConversations] = await orUnavailable(
      Promise.all([this.responses.findReferenced(reader, references), this.conversations.findItems(reader, known)]),
    );
    const found = new Map<string, object>(ofConversations.map(({ id, json }) => [id, JSON.parse(json) as object]));
    for (const turn of turns.filter(isOfModelsOf(key))) for (const { id, item } of turnItems(turn)) found.set(id, item);
    const missing = ids.find((id) => !found.has(id));
    if (missing === undefined) return found;
    throw noReferencedItem(missing);
  }

  #chainOf(reader: StateAccess, id: string, maxBytes: number): Promise<ResponseChain | null> {
    return isStateId(id) ? orUnavailable(this.responses.readChain(reader, id, maxBytes)) : Promise.resolve(null);
  }

  /** A long history is measured before it is read: its request has a few bytes, and may not be admitted. */
  async #chainWithRoom(
    reader: StateAccess,
    id: string,
    takeRoom: TakeRoom,
    maxBytes: number,
  ): Promise<ResponseChain | null> {
    const short = this.#longHistories.has(id) ? undefined : await this.#chainOf(reader, id, SHORT_HISTORY_BYTES);
    // An account that goes on is refused before the database works for it.
    if (short === undefined) takeRoom(0);
    else if (short?.isTooLong !== true) return short;
    const bytes = await soonOrUnavailable(this.responses.measureChain(reader, id, maxBytes));
    if (bytes > maxBytes) return short ?? this.#chainOf(reader, id, SHORT_HISTORY_BYTES);
    this.#longHistories.set(id, true);
    takeRoomFor(bytes, takeRoom);
    return this.#chainOf(reader, id, maxBytes);
  }

  async #elementsOf(
    reader: StateAccess,
    { turns, isTooLong }: ResponseChain,
    { takeRoom, form }: { readonly takeRoom: TakeRoom; readonly form: StateForm },
  ): Promise<readonly Buffer[]> {
    if (isTooLong) throw historyTooLong(form.previousMember);
    const [first] = turns;
    if (first?.previousId != null) throw form.noPrevious(first.previousId);
    const conversation = await this.#conversationBefore(first, { reader, takeRoom });
    return [
      ...conversation.map(({ json }) => Buffer.from(json)),
      ...turns.flatMap(({ input, response }) => [
        form.inputElements(Buffer.from(input)),
        outputElements(response, form),
      ]),
    ];
  }

  /** The items of the conversation that the first response of a chain belonged to. */
  async #conversationBefore(
    first: StoredTurn | undefined,
    { reader, takeRoom }: { readonly reader: StateAccess; readonly takeRoom: TakeRoom },
  ) {
    if (first?.conversationId == null || first.conversationPosition === null) return [];
    const found = await soonOrUnavailable(this.conversations.find(reader, first.conversationId));
    if (found === null) throw noConversation(first.conversationId, 'previous_response_id');
    if (found.bytes > MAX_HISTORY_BYTES) throw historyTooLong('previous_response_id');
    takeRoomFor(Number(found.bytes), takeRoom);
    return orUnavailable(this.conversations.readItems(first.conversationId, first.conversationPosition));
  }

  /** The same for a list, which goes on without a conversation that was deleted. */
  async #listedConversation(reader: StateAccess, first: StoredTurn | undefined, takeRoom: TakeRoom) {
    if (first?.conversationId == null || first.conversationPosition === null) return [];
    const found = await soonOrUnavailable(this.conversations.find(reader, first.conversationId));
    if (found === null) return [];
    if (found.bytes > MAX_LISTED_BYTES) throw tooLongToList();
    takeRoomFor(Number(found.bytes), takeRoom);
    return orUnavailable(this.conversations.readItems(first.conversationId, first.conversationPosition));
  }
}

const isOfModelsOf =
  (key: KeyRecord) =>
  ({ model }: StoredTurn): boolean =>
    mayUseModel(key, { id: model });

/** Each byte is there as the database's text, and again in the body. */
export function takeRoomFor(bytes: number, takeRoom: TakeRoom): void {
  if (bytes > SHORT_HISTORY_BYTES) takeRoom(2 * bytes);
}

const tooLongToList = (): GatewayError =>
  new GatewayError(
    'request_too_large',
    'The history is longer than 8 MiB, which is too long for a list of its items.',
    {
      param: 'id',
    },
  );

const tooMuchReferenced = (): GatewayError =>
  new GatewayError('request_too_large', "'input': the referenced items are in responses of more than 16 MiB.", {
    param: 'input',
  });
