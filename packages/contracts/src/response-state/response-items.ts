import type { ResponseItem } from '../api/conversations.js';
import { storedItemId } from '../api/stored-text.js';
import { isJsonObject, type JsonObject } from '../json/json-object.js';

/** An item as it goes upstream, with the id by which clients refer to it. */
export interface IdentifiedItem {
  readonly id: string;
  readonly item: JsonObject;
}

/** The beginnings of ids, by the type of the item. */
const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
  compaction: 'cmp',
};
const OTHER_PREFIX = 'item';

const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : 'message');

/** The prefix of a new id for an item. */
export const itemPrefixOf = (item: JsonObject): string => PREFIXES[typeOf(item)] ?? OTHER_PREFIX;

const MINTED = /^[a-z]+_([a-z0-9]{26})_\d+$/;

/** The response whose request had the item, if the gateway minted the id. */
export const responseOfItem = (itemId: string): string | undefined => {
  const [, suffix] = MINTED.exec(itemId) ?? [];
  return suffix === undefined ? undefined : `resp_${suffix}`;
};

/** PostgreSQL refuses any other id, and with it the whole response. */
const canBeKept = (id: unknown): id is string => storedItemId.safeParse(id).success;

const idOf = (item: JsonObject, responseId: string, index: number): string =>
  canBeKept(item.id) ? item.id : `${itemPrefixOf(item)}_${responseId.slice('resp_'.length)}_${index}`;

/** The elements of a request's input. A text is the only message of its request. */
export const inputList = (input: unknown): readonly unknown[] =>
  Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input }];

/** The items of a request's input. An item without an id gets one that is the same each time. */
export const inputItems = (inputJson: string, responseId: string): readonly IdentifiedItem[] =>
  inputList(JSON.parse(inputJson))
    .filter(isJsonObject)
    .map((item, index) => ({ id: idOf(item, responseId, index), item }));

/** The items of a response's output. The vendor or the adapter has named them. */
export function outputItems(response: JsonObject): readonly IdentifiedItem[] {
  const output = Array.isArray(response.output) ? response.output.filter(isJsonObject) : [];
  return output.flatMap((item) => (typeof item.id === 'string' && item.id !== '' ? [{ id: item.id, item }] : []));
}

/** The items of a stored turn: of its input, then of its output. */
export const turnItems = (turn: { readonly id: string; readonly input: string; readonly response: string }) => [
  ...inputItems(turn.input, turn.id),
  ...outputItems(JSON.parse(turn.response) as JsonObject),
];

/** The id of the stored item for which an item of an input stands. */
export const referencedItemId = (item: unknown): string | undefined =>
  isJsonObject(item) && item.type === 'item_reference' && typeof item.id === 'string' ? item.id : undefined;

/** Items that have a status in every response of the protocol. Clients leave it out. */
const HAVE_STATUS: ReadonlySet<string> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
]);

/** The short form of a message in full, an id for every item, and a status where the protocol has one. */
export function renderResponseItem({ id, item }: IdentifiedItem): ResponseItem {
  const type = typeOf(item);
  const rendered = { ...item, id, type, ...(HAVE_STATUS.has(type) && { status: item.status ?? 'completed' }) };
  if (type !== 'message') return rendered;
  const { role, content } = item;
  return { ...rendered, role, content: renderContent(role, content) };
}

function renderContent(role: unknown, content: unknown): unknown {
  if (typeof content !== 'string') return content;
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [] }]
    : [{ type: 'input_text', text: content }];
}
