import {
  type Endpoint,
  GatewayError,
  inputList,
  isStateId,
  itemsSinceCompaction,
  noConversation,
  noReferencedItem,
  PENDING_STATUS,
  referencedItemId,
  repeatedItems,
  responseOfItem,
  STATE_FORMS,
  type StateForm,
  stateFormOf,
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
    const reader = { accountId: caller.accountId, onlyTest: caller.isTest, models: caller.access.models };
    const form = stateFormOf(endpoint) ?? STATE_FORMS.responses;
    const { previousId, conversationId } = form.continuation(body[form.previousMember], body.conversation);
    const { items: earlier, output } =
      previousId === undefined
        ? { items: await this.#itemsOf(reader, conversationId), output: [] }
        : await this.#itemsBefore(caller, reader, previousId, form);
    if (!form.hasItems) {
      if (earlier.length === 0) return body;
      const steps = elementsIn(JSON.stringify(body.input ?? []), form);
      return { ...body, input: [...earlier, ...newItems(steps, earlier, output)] };
    }
    const input = await this.#resolve(caller, reader, body.input ?? []);
    const history = itemsSinceCompaction(earlier);
    if (history.length === 0 && input === body.input) return body;
    return { ...body, input: [...history, ...newItems(inputList(input), earlier, output)] };
  }

  /** The items of a response and of all that it continues, and of its output alone. */
  async #itemsBefore(
    { access }: DraftCaller,
    reader: StateAccess,
    id: string,
    form: StateForm,
  ): Promise<{ readonly items: readonly unknown[]; readonly output: readonly unknown[] }> {
    const chain =
      isStateId(id) && form.owns(id) ? await this.#state.responses.readChain(reader, id, MAX_QUOTED_BYTES) : null;
    if (chain === null || chain.turns.some(({ model }) => !mayUseModel(access, { id: model })))
      throw form.noPrevious(id);
    if (chain.turns.some(({ status }) => status === PENDING_STATUS)) throw form.previousRuns(id);
    if (chain.isTooLong) throw tooLongToQuote(form.previousMember);
    const [first] = chain.turns;
    if (first?.previousId != null) throw form.noPrevious(first.previousId);
    const ofConversation = await this.#itemsOf(
      reader,
      first?.conversationId ?? undefined,
      'previous_response_id',
      first?.conversationPosition ?? undefined,
    );
    const last = chain.turns.at(-1);
    return {
      items: [...ofConversation, ...chain.turns.flatMap((turn) => itemsOfTurn(turn, form))],
      output: last === undefined ? [] : outputOfTurn(last, form),
    };
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
  async #resolve({ access }: DraftCaller, reader: StateAccess, input: unknown): Promise<unknown> {
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
    const own = turns.filter(({ model }) => mayUseModel(access, { id: model }));
    for (const { id, item } of own.flatMap(turnItems)) found.set(id, item);
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
const itemsOfTurn = (turn: StoredTurn, form: StateForm): readonly unknown[] => [
  ...elementsIn(turn.input, form),
  ...outputOfTurn(turn, form),
];

function outputOfTurn({ response }: StoredTurn, { outputMember }: StateForm): readonly unknown[] {
  const { [outputMember]: output } = JSON.parse(response) as Readonly<Record<string, unknown>>;
  return Array.isArray(output) ? output : [];
}

/** An input without what its history has, as at the edge. */
function newItems(
  items: readonly unknown[],
  earlier: readonly unknown[],
  output: readonly unknown[],
): readonly unknown[] {
  const repeated = repeatedItems(items, { output, history: () => earlier });
  return repeated.size === 0 ? items : items.filter((_, index) => !repeated.has(index));
}

/** The elements of an input, by its JSON. */
const elementsIn = (inputJson: string, form: StateForm): readonly unknown[] =>
  JSON.parse(`[${form.inputElements(Buffer.from(inputJson)).toString('utf8')}]`) as readonly unknown[];

const tooLongToQuote = (param: string): GatewayError =>
  new GatewayError('request_too_large', `'${param}': the history is longer than 8 MiB, too long for a quote.`, {
    param,
  });
