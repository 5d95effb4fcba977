import type {
  AssistantPart,
  ChatMessage,
  ChatUserPart,
  MediaPart,
  NeutralMessage,
  TextPart,
  ToolResultPart,
} from '@gateway/contracts';
import { chatPart } from './chat-media.js';

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/** Encodes the conversation. Media of tool results follow in a user message: tool messages hold only text. */
export function chatMessages(messages: readonly NeutralMessage[]): readonly ChatMessage[] {
  const encoded: ChatMessage[] = [];
  let waiting: ChatUserPart[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      encoded.push(userMessage(message.content, waiting));
      waiting = [];
      continue;
    }
    if (message.role !== 'tool' && waiting.length > 0) {
      encoded.push({ role: 'user', content: waiting });
      waiting = [];
    }
    if (message.role === 'tool') {
      for (const result of message.content) encoded.push(toolMessage(result));
      waiting.push(...message.content.flatMap(mediaOf));
    } else if (message.role === 'system') encoded.push({ role: 'system', content: joined(message.content, '\n') });
    else encoded.push(...assistantMessage(message.content));
  }
  return waiting.length > 0 ? [...encoded, { role: 'user', content: waiting }] : encoded;
}

const joined = (parts: readonly (TextPart | MediaPart)[], separator: string): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(separator);

/** A single text is sent as a string: the form that every vendor takes. */
function userMessage(content: readonly (TextPart | MediaPart)[], first: readonly ChatUserPart[]): ChatMessage {
  const [only] = content;
  if (first.length === 0 && content.length === 1 && only?.type === 'text') return { role: 'user', content: only.text };
  return { role: 'user', content: [...first, ...content.map(chatPart)] };
}

const toolMessage = ({ id, content }: ToolResultPart): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: joined(content, '\n'),
});

const mediaOf = ({ content }: ToolResultPart): ChatUserPart[] =>
  content.flatMap((part) => (part.type === 'media' ? [chatPart(part)] : []));

/** Reasoning and parts that another vendor signed are left out: these APIs take none. */
function assistantMessage(parts: readonly AssistantPart[]): readonly ChatMessage[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [toolCall(part)] : []));
  if (text === '' && refusal === '' && calls.length === 0) return [];
  const message: Assistant = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(refusal !== '' && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return [message];
}

const toolCall = ({ id, name, input }: Extract<AssistantPart, { type: 'tool-call' }>) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: input },
});
