import {
  type AssistantPart,
  type NeutralMessage,
  type NeutralRequest,
  parseExactObject,
  type ToolCallPart,
  type ToolResultPart,
} from '@gateway/contracts';
import { CLOSING } from '../client-request/closing-turn.js';
import { parseArguments } from '../client-request/parse-arguments.js';
import { invalidRequest } from '../client-request/refuse-request.js';
import type { NeutralCall } from '../protocol.js';
import { requestParts } from './parts.js';
import { signCalls } from './sign-calls.js';
import { signatureOf } from './tool-call.js';
import type { Content, RequestPart } from './wire.js';

/** Function names by tool call id: a function response must name its function. */
type CalledNames = Map<string, string>;

/** Collects the text of all instructions, one part for each message. */
export const systemParts = ({ messages }: NeutralRequest): readonly { text: string }[] =>
  messages
    .filter((message) => message.role === 'system')
    .map(({ content }) => ({ text: content.map(({ text }) => text).join('\n') }))
    .filter(({ text }) => text !== '');

/** First turn of a conversation that starts with calls: the vendor refuses them there. */
const OPENING_TURN: Content = { role: 'user', parts: [{ text: '...' }] };

/** Last turn of a conversation that ends with the model's text. */
const CLOSING_TURN: Content = { role: 'user', parts: [{ text: CLOSING }] };

/** True of contents that end with the turn that `contentsOf` adds. */
export const isClosed = (contents: readonly Content[]): boolean => contents.at(-1) === CLOSING_TURN;

/**
 * Encodes the conversation. Merges neighbours of one role, and adds a first or last turn of the user where the model needs
 * one. Throws a GatewayError (400) if no message remains.
 */
export function contentsOf({ request: { messages }, names: clientNames, traits }: NeutralCall): readonly Content[] {
  const contents: { role: Content['role']; parts: RequestPart[] }[] = [];
  const names: CalledNames = new Map();
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message, names);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts: [...parts] });
  }
  if (contents.length === 0) {
    const { messages: param = 'messages' } = clientNames;
    throw invalidRequest(`'${param}' must hold at least one user message with content.`, param);
  }
  const sent =
    traits.signsCalls === true ? contents.map(({ role, parts }) => ({ role, parts: signCalls(parts) })) : contents;
  const opening = startsWithCalls(sent) ? [OPENING_TURN] : [];
  const closing = traits.needsUserLast === true && endsWithText(sent) ? [CLOSING_TURN] : [];
  return [...opening, ...sent, ...closing];
}

const startsWithCalls = ([first]: readonly Content[]): boolean =>
  first?.parts.some((part) => 'functionCall' in part) === true;

function endsWithText(contents: readonly Content[]): boolean {
  const last = contents.at(-1);
  return last?.role === 'model' && last.parts.every((part) => 'text' in part);
}

function partsOf(message: Exclude<NeutralMessage, { role: 'system' }>, names: CalledNames): readonly RequestPart[] {
  if (message.role === 'user') return message.content.flatMap(requestParts);
  if (message.role === 'assistant') return assistantParts(message.content, names);
  const responses = message.content.map((result) => functionResponse(result, names));
  // A function response holds no media here, so the images of a result follow the responses.
  return [...responses, ...message.content.flatMap(mediaOf)];
}

const mediaOf = ({ content }: ToolResultPart): readonly RequestPart[] =>
  content.flatMap((part) => (part.type === 'media' ? requestParts(part) : []));

/** Neighbouring text is one part, a refusal included. Thoughts are left out: the vendor takes none back. */
function assistantParts(content: readonly AssistantPart[], names: CalledNames): readonly RequestPart[] {
  const parts: RequestPart[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push({ text });
    text = '';
  };
  for (const part of content) {
    if (part.type === 'text' || part.type === 'refusal') text += part.text;
    else if (part.type === 'tool-call') {
      flush();
      parts.push(functionCall(part, names));
    }
  }
  flush();
  return parts;
}

function functionCall({ id, name, input, vendor, path }: ToolCallPart, names: CalledNames): RequestPart {
  names.set(id, name);
  const signature = signatureOf(vendor);
  return {
    functionCall: { name, args: parseArguments(input, path) },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

function functionResponse({ id, content, isError, path }: ToolResultPart, names: CalledNames): RequestPart {
  const name = names.get(id);
  if (name === undefined) {
    throw invalidRequest(`'${path}' names no call of an earlier assistant message.`, path);
  }
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (isError === true) return { functionResponse: { name, response: { error: text } } };
  return { functionResponse: { name, response: parseExactObject(text) ?? { result: text } } };
}
