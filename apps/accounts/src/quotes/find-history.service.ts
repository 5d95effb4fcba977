import {
  type Endpoint,
  GatewayError,
  inputList,
  isStateId,
  itemsSinceCompaction,
  noConversation,
  noPreviousResponse,
  noReferencedItem,
  PENDING_STATUS,
  previousResponseRuns,
  readContinuation,
  referencedItemId,
  responseOfItem,
  turnItems,
} from '@gateway/contracts';
import { isJsonEndpoint, JSON_ENDPOINTS, type JsonEndpointRow, mayUseModel } from '@gateway/intake';
import {
  type Database,
  type ResponseState,
  responseStateIn,
  type StateAccess,
  type StoredTurn,
} from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';
import type { DraftCaller } from './find-draft.service.js';

type Body = Record<string, unknown>;

/** More text than any model reads. A quote parses the history, so it reads less than the edge, which joins bytes. */
const MAX_QUOTED_BYTES = 8 * 1024 * 1024;

/** Gives a quoted body the stored history that it continues, as the edge does before it holds money. */
@Injectable()
export class FindHistory {
  readonly #state: ResponseState;

  constructor(@Inject(DATABASE) database: Database) {
    this.#state = responseStateIn(database);
  }

  /** The body itself, if it continues nothing. Throws the error that the edge would return. */
  async expand(caller: DraftCaller, endpoint: Endpoint, body: Body): Promise<Body> {
    if (!continues(endpoint)) return body;
    const reader = { accountId: caller.accountId, onlyTest: caller.isTest };
    const { previousId, conversationId } = readContinuation(body.previous_response_id, body.conversation);
    const earlier =
      previousId === undefined
        ? await this.#itemsOf(reader, conversationId)
        : await this.#itemsBefore(caller, reader, previousId);
    const input = await this.#resolve(reader, body.input ?? []);
    const history = itemsSinceCompaction(earlier);
    if (history.length === 0 && input === body.input) return body;
    return { ...body, input: [...history, ...inputList(input)] };
  }

  /** The items of a response and of all that it continues. */
  async #itemsBefore({ access }: DraftCaller, reader: StateAccess, id: string): Promise<readonly unknown[]> {
    const chain = isStateId(id) ? await this.#state.responses.readChain(reader, id, MAX_QUOTED_BYTES) : null;
    if (chain === null || chain.turns.some(({ model }) => !mayUseModel(access, { id: model })))
      throw noPreviousResponse(id);
    if (chain.turns.some(({ status }) => status === PENDING_STATUS)) throw previousResponseRuns(id);
    if (chain.isTooLong) throw tooLongToQuote('previous_response_id');
    const [first] = chain.turns;
    if (first?.previousId != null) throw noPreviousResponse(first.previousId);
    const ofConversation = await this.#itemsOf(
      reader,
      first?.conversationId ?? undefined,
      'previous_response_id',
      first?.conversationPosition ?? undefined,
    );
    return [...ofConversation, ...chain.turns.flatMap(itemsOfTurn)];
  }

  /** The items of a conversation, all or those before a position. */
  async #itemsOf(
    reader: StateAccess,
    id: string | undefined,
    param = 'conversation',
    before?: bigint,
  ): Promise<readonly unknown[]> {
    if (id === undefined) return [];
    const found = isStateId(id) ? await this.#state.conversations.find(reader, id) : null;
    if (found === null) throw noConversation(id, param);
    if (found.bytes > MAX_QUOTED_BYTES) throw tooLongToQuote(param);
    const items = await this.#state.conversations.readItems(id, before ?? found.nextPosition);
    return items.map(({ json }) => JSON.parse(json) as unknown);
  }

  /** An input with the stored items to which it refers. */
  async #resolve(reader: StateAccess, input: unknown): Promise<unknown> {
    if (!Array.isArray(input)) return input;
    const ids = [...new Set(input.flatMap((item) => referencedItemId(item) ?? []))];
    if (ids.length === 0) return input;
    const known = ids.filter(isStateId);
    const references = { itemIds: known, responseIds: known.flatMap((id) => responseOfItem(id) ?? []) };
    const bytes = await this.#state.responses.measureReferenced(reader, references);
    if (bytes > MAX_QUOTED_BYTES) throw tooLongToQuote('input');
    const [turns, rows] = await Promise.all([
      this.#state.responses.findReferenced(reader, references),
      this.#state.conversations.findItems(reader, known),
    ]);
    const found = new Map<string, unknown>(rows.map(({ id, json }) => [id, JSON.parse(json)]));
    for (const { id, item } of turns.flatMap(turnItems)) found.set(id, item);
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw noReferencedItem(missing);
    return input.map((item) => found.get(referencedItemId(item) ?? '') ?? item);
  }
}

/** Whether bodies of this endpoint may continue stored state. */
function continues(endpoint: Endpoint): boolean {
  const row: JsonEndpointRow | undefined = isJsonEndpoint(endpoint) ? JSON_ENDPOINTS[endpoint] : undefined;
  return row?.state !== undefined;
}

/** The items of a turn as they were sent and answered. */
function itemsOfTurn({ input, response }: StoredTurn): readonly unknown[] {
  const { output } = JSON.parse(response) as { readonly output?: unknown };
  return [...inputList(JSON.parse(input)), ...(Array.isArray(output) ? output : [])];
}

const tooLongToQuote = (param: string): GatewayError =>
  new GatewayError('request_too_large', `'${param}': the history is longer than 8 MiB, too long for a quote.`, {
    param,
  });
