import type { ChatCompletionRequest, ChatMessage } from '@gateway/contracts';
import { contentParam, invalidRequest } from '../client-request/refuse-request.js';
import { textOf } from '../client-request/text-of.js';
import { isJsonObject, objectAt, stringAt } from '../failures/error-body.js';
import { requestParts } from './parts.js';
import type { Content, RequestPart } from './wire.js';

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/** Function names by tool call id: a function response must name its function. */
type CalledNames = Map<string, string>;

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

/** Collects the text of all system and developer messages, in order. */
export const systemParts = (request: ChatCompletionRequest): readonly { text: string }[] =>
  request.messages
    .filter(isInstruction)
    .map(({ content }) => ({ text: textOf(content) }))
    .filter(({ text }) => text !== '');

/** Converts the conversation. Merges neighbours of one role. Throws a GatewayError (400) if no message remains. */
export function contentsOf(request: ChatCompletionRequest): readonly Content[] {
  const contents: { role: Content['role']; parts: RequestPart[] }[] = [];
  const names: CalledNames = new Map();
  for (const [index, message] of request.messages.entries()) {
    if (isInstruction(message)) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message, index, names);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  if (contents.length === 0)
    throw invalidRequest("'messages' must hold at least one user message with content.", 'messages');
  return contents;
}

function partsOf(message: ChatMessage, index: number, names: CalledNames): RequestPart[] {
  if (message.role === 'assistant')
    return [...textParts(textOf(message.content)), ...functionCalls(message, index, names)];
  if (message.role === 'tool') return [functionResponse(message, index, names)];
  if (message.role !== 'user' || typeof message.content === 'string') return textParts(textOf(message.content));
  return message.content.flatMap((part, partIndex) => requestParts(part, contentParam(index, partIndex)));
}

const textParts = (text: string): RequestPart[] => (text === '' ? [] : [{ text }]);

function functionCalls(message: Assistant, index: number, names: CalledNames): RequestPart[] {
  return (message.tool_calls ?? []).map((call, callIndex) => {
    const { id, function: called } = call;
    names.set(id, called.name);
    const signature = stringAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
    const param = `messages[${index}].tool_calls[${callIndex}].function.arguments`;
    return {
      functionCall: { name: called.name, args: parseArguments(called.arguments, param) },
      ...(signature !== '' && { thoughtSignature: signature }),
    };
  });
}

function functionResponse(
  { content, tool_call_id: id }: Extract<ChatMessage, { role: 'tool' }>,
  index: number,
  names: CalledNames,
): RequestPart {
  const name = names.get(id);
  if (name === undefined) {
    throw invalidRequest(
      "The tool message has a 'tool_call_id' that no earlier assistant message has.",
      `messages[${index}].tool_call_id`,
    );
  }
  const text = textOf(content);
  return { functionResponse: { name, response: parseObject(text) ?? { result: text } } };
}

function parseArguments(text: string, param: string): object {
  if (text.trim() === '') return {};
  const value = parseObject(text);
  if (value === undefined) throw invalidRequest('The arguments of a tool call must be a JSON object.', param);
  return value;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // A tool result may be plain text.
    return undefined;
  }
}
