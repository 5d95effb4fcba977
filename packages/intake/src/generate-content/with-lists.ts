import { camelName, isJsonObject, type JsonObject } from '@gateway/contracts';

/** The lists of objects in a message, by name, each with the lists in its entries; and the messages that have lists. */
interface Message {
  readonly lists?: Readonly<Record<string, Message>>;
  readonly messages?: Readonly<Record<string, Message>>;
}

const CONTENT: Message = { lists: { parts: {} } };
const PROMPT: Message = {
  lists: { contents: CONTENT, tools: { lists: { functionDeclarations: {} } }, safetySettings: {} },
  messages: { systemInstruction: CONTENT },
};
const BODY: Message = {
  lists: { ...PROMPT.lists, requests: { messages: { content: CONTENT } } },
  messages: { ...PROMPT.messages, content: CONTENT, generateContentRequest: PROMPT },
};

const own = (rows: Readonly<Record<string, Message>> = {}, name: string): Message | undefined =>
  Object.hasOwn(rows, name) ? rows[name] : undefined;

function inMessage(value: unknown, { lists, messages }: Message): unknown {
  if (!isJsonObject(value)) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const entry = own(lists, camelName(name));
    const inner = own(messages, camelName(name));
    const read = entry !== undefined ? inList(field, entry) : inner !== undefined ? inMessage(field, inner) : field;
    if (read !== field) {
      changed ??= { ...value };
      changed[name] = read;
    }
  }
  return changed ?? value;
}

function inList(value: unknown, entry: Message): unknown {
  if (isJsonObject(value)) return [inMessage(value, entry)];
  if (!Array.isArray(value)) return value;
  const read = value.map((one) => inMessage(one, entry));
  return read.every((one, index) => one === value[index]) ? value : read;
}

/**
 * A body of Google's native API with a list wherever the client has written its only entry. Google takes that, its guides
 * show `{"contents": {"parts": {"text": "Hi"}}}`, and older clients send `tools` so. Another body is returned itself.
 */
export const withLists = (body: JsonObject): JsonObject => inMessage(body, BODY) as JsonObject;
