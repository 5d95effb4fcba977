import { type ChatCompletionRequest, type ChatMessage, TOOL_CALL_MARK, upstreamToolId } from '@gateway/contracts';
import type { JsonMembers } from '../json/json-members.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that answers of other vendors have, or that clients add to an answer. The vendor refuses each. */
const OF_MESSAGE = ['cache_control', 'reasoning_content', 'reasoning', 'reasoning_details', 'parsed'];
/** With the fields of a message: the vendor's Agents SDK copies those of an answer into its text. */
const OF_PART = ['role', 'annotations', ...OF_MESSAGE];
const OF_CALL = ['extra_content', 'index'];
const OF_FUNCTION = ['parsed_arguments'];

export const FOREIGN_PATHS: readonly string[] = [
  ...OF_MESSAGE.map((name) => `messages[].${name}`),
  ...OF_PART.map((name) => `messages[].content[].${name}`),
  ...OF_CALL.map((name) => `messages[].tool_calls[].${name}`),
  ...OF_FUNCTION.map((name) => `messages[].tool_calls[].function.${name}`),
];

/** A message itself has a role and may have annotations. In a part, a role follows other fields. */
const MARKS = [...OF_MESSAGE, ...OF_CALL, ...OF_FUNCTION];

const FOREIGN = new RegExp(`"(?:${MARKS.join('|')})"|,\\s*"role"\\s*:\\s*"assistant"|${TOOL_CALL_MARK}`);

/** A megabyte of one question takes 0.1 ms, and one of many turns 1 ms. */
const mayHaveForeign = (messages: Buffer): boolean =>
  (messages.includes('"assistant"') || messages.includes('"cache_control"')) &&
  FOREIGN.test(messages.toString('latin1'));

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** A null field says nothing, and the vendor refuses even that. */
const ownPart = (part: Fields): Fields =>
  Object.fromEntries(Object.entries(without(part, OF_PART)).filter(([, value]) => value !== null));

function ownCall({ id, function: called, ...others }: Fields): Fields {
  return {
    id: upstreamToolId(String(id)).id,
    ...without(others, OF_CALL),
    ...(called !== undefined && { function: without(called as Fields, OF_FUNCTION) }),
  };
}

function ownMessage(message: ChatMessage): Fields {
  const { content, tool_calls: calls, tool_call_id: id, ...others } = message as Fields;
  return {
    ...without(others, OF_MESSAGE),
    ...(content !== undefined && {
      content: Array.isArray(content) ? content.map(ownPart) : content,
    }),
    ...(calls !== undefined && { tool_calls: Array.isArray(calls) ? calls.map(ownCall) : calls }),
    ...(id !== undefined && { tool_call_id: upstreamToolId(String(id)).id }),
  };
}

/** The messages without what another vendor's model has left in them. Most requests are not parsed for this. */
export function ownMessages(members: JsonMembers<ChatCompletionRequest>): { readonly messages?: readonly Fields[] } {
  const bytes = members.bytesOf('messages');
  return bytes !== undefined && mayHaveForeign(bytes)
    ? { messages: (members.read('messages') ?? []).map(ownMessage) }
    : {};
}
