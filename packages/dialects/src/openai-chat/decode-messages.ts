import {
  type AssistantPart,
  type ChatAssistantMessage,
  type ChatCompletionRequest,
  type ChatMessage,
  type NeutralMessage,
  type TextPart,
  type ToolCallPart,
  upstreamToolId,
  type VendorData,
} from '@gateway/contracts';
import { cacheOf } from '../cache-mark.js';
import { decodeUserPart } from './decode-media.js';
import { decodeReasoningDetails } from './reasoning-details.js';

type ToolCall = NonNullable<ChatAssistantMessage['tool_calls']>[number];
type TextContent = Extract<ChatMessage, { role: 'system' }>['content'];

const textPart = (text: string): TextPart => ({ type: 'text', text });

/** Joins the text parts: their borders mean nothing in this format. Keeps them apart only where one has a cache mark. */
const joined = (content: TextContent): readonly TextPart[] => {
  if (typeof content === 'string') return [textPart(content)];
  if (content.every((part) => cacheOf(part) === undefined)) return [textPart(content.map(({ text }) => text).join(''))];
  return content.map(markedPart);
};

const markedPart = (part: { readonly text: string }): TextPart => ({ ...textPart(part.text), cache: cacheOf(part) });

/** Decodes the conversation, one message for one. */
export const decodeMessages = ({ messages }: Pick<ChatCompletionRequest, 'messages'>): readonly NeutralMessage[] =>
  decodeAll(messages, new Set(messages.flatMap(customCallsOf)));

const decodeAll = (messages: readonly ChatMessage[], custom: ReadonlySet<string>): readonly NeutralMessage[] =>
  messages.map((message, index) => withMark(decodeMessage(message, index, custom), message));

/** A mark of a whole message is one of its last part. */
function withMark(decoded: NeutralMessage, message: ChatMessage): NeutralMessage {
  const cache = cacheOf(message);
  const last = decoded.content.at(-1);
  if (cache === undefined || last === undefined || !MARKED_PARTS.has(last.type)) return decoded;
  return { ...decoded, content: [...decoded.content.slice(0, -1), { ...last, cache }] } as NeutralMessage;
}

/** The others have no place for a mark. */
const MARKED_PARTS: ReadonlySet<string> = new Set(['text', 'media', 'tool-call', 'tool-result']);

/** Ids of the calls of tools of free text: their results do not say of which kind they are. */
const customCallsOf = (message: ChatMessage): readonly string[] =>
  message.role === 'assistant'
    ? (message.tool_calls ?? []).flatMap((call) => (call.type === 'custom' ? [call.id] : []))
    : [];

function decodeMessage(message: ChatMessage, index: number, custom: ReadonlySet<string>): NeutralMessage {
  const path = `messages[${index}]`;
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', path, content: joined(message.content) };
    case 'assistant':
      return { role: 'assistant', path, content: assistantParts(message, path) };
    case 'tool': {
      const { tool_call_id: id, content } = message;
      const kind = custom.has(id) ? 'custom' : 'function';
      const result = { type: 'tool-result', id: upstreamToolId(id).id, kind, path: `${path}.tool_call_id` } as const;
      return { role: 'tool', path, content: [{ ...result, content: joined(content) }] };
    }
    case 'user': {
      const { content } = message;
      const parts =
        typeof content === 'string'
          ? [textPart(content)]
          : content.map((part, partIndex) => decodeUserPart(part, `${path}.content[${partIndex}]`));
      return { role: 'user', path, content: parts };
    }
  }
}

function assistantParts(message: ChatAssistantMessage, path: string): readonly AssistantPart[] {
  const { content, refusal, reasoning_content: reasoning, tool_calls: calls } = message;
  const parts: AssistantPart[] = [];
  const thoughts = decodeReasoningDetails(message.reasoning_details);
  if (thoughts.length > 0) parts.push(...thoughts);
  else if (reasoning) parts.push({ type: 'reasoning', text: reasoning });
  if (typeof content === 'string') parts.push(textPart(content));
  else for (const part of content ?? []) parts.push(textOrRefusal(part));
  if (refusal) parts.push({ type: 'refusal', text: refusal });
  calls?.forEach((call, index) => {
    parts.push(decodeToolCall(call, `${path}.tool_calls[${index}]`));
  });
  return parts;
}

type ContentPart = Exclude<ChatAssistantMessage['content'], string | null | undefined>[number];

const textOrRefusal = (part: ContentPart): AssistantPart =>
  part.type === 'refusal' ? { type: 'refusal', text: part.refusal } : markedPart(part);

function decodeToolCall(call: ToolCall, path: string): ToolCallPart {
  const { id, vendor: carried } = upstreamToolId(call.id);
  const vendor = vendorDataOf(call) ?? carried;
  const part = { type: 'tool-call', id, ...calledOf(call, path) } as const;
  return vendor === undefined ? part : { ...part, vendor };
}

function calledOf(call: ToolCall, path: string) {
  if (call.type === 'custom') {
    const { name, input } = call.custom;
    return { name, kind: 'custom', input, path: `${path}.custom.input` } as const;
  }
  const { name, arguments: input } = call.function;
  return { name, kind: 'function', input, path: `${path}.function.arguments` } as const;
}

/** `extra_content.google.thought_signature`: ai.google.dev/gemini-api/docs/thought-signatures. */
function vendorDataOf(call: ToolCall): VendorData | undefined {
  const { extra_content: extra } = call as { readonly extra_content?: { readonly google?: object } | null };
  const signature = (extra?.google as { readonly thought_signature?: unknown } | undefined)?.thought_signature;
  if (typeof signature !== 'string' || signature === '') return undefined;
  return { protocol: 'gemini-generate', data: { thoughtSignature: signature } };
}
