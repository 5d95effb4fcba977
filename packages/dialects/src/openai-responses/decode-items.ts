import {
  type AssistantPart,
  CONFIGURATION_UPDATE,
  compactionText,
  type MediaPart,
  type NeutralMessage,
  type ResponsesItem,
  type ResponsesPart,
  type ResponsesRequest,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  unpackCompaction,
  unpacked,
  upstreamToolId,
} from '@gateway/contracts';
import { decodeInputPart } from './decode-media.js';
import { LOCAL_SHELL, sentName } from './tool-names.js';

type Content = string | readonly ResponsesPart[] | null | undefined;

const textPart = (text: string): TextPart => ({ type: 'text', text });

const inputParts = (content: Content, path: string): readonly (TextPart | MediaPart)[] =>
  typeof content === 'string'
    ? [textPart(content)]
    : (content ?? []).map((part, index) => decodeInputPart(part, `${path}[${index}]`));

const outputParts = (content: Content): readonly AssistantPart[] =>
  typeof content === 'string'
    ? [textPart(content)]
    : (content ?? []).map((part) =>
        part.type === 'refusal' ? { type: 'refusal', text: part.refusal ?? '' } : textPart(part.text ?? ''),
      );

const joinedText = (parts: readonly ResponsesPart[] | null | undefined): string =>
  (parts ?? []).map(({ text }) => text ?? '').join('\n\n');

/** Reasoning that this gateway encoded returns to its vendor. Another vendor's is text only. */
function reasoningPart({ summary, content, encrypted_content: packed }: ResponsesItem): AssistantPart {
  const vendor = typeof packed === 'string' ? unpacked(packed) : undefined;
  const text = joinedText(summary) || joinedText(typeof content === 'string' ? [] : content);
  return { type: 'reasoning', text, ...(vendor !== undefined && { vendor }) };
}

function callPart(item: ResponsesItem, path: string): ToolCallPart {
  const { id, vendor } = upstreamToolId(item.call_id ?? '');
  const call = { type: 'tool-call', id, ...(vendor !== undefined && { vendor }) } as const;
  if (item.type === 'custom_tool_call') {
    const name = sentName(item.namespace, item.name ?? '');
    return { ...call, name, kind: 'custom', input: item.input ?? '', path: `${path}.input` };
  }
  if (item.type === 'local_shell_call') {
    const { type: _, ...action } = item.action ?? {};
    return { ...call, name: LOCAL_SHELL, kind: 'function', input: JSON.stringify(action), path: `${path}.action` };
  }
  const name = sentName(item.namespace, item.name ?? '');
  return { ...call, name, kind: 'function', input: item.arguments ?? '{}', path: `${path}.arguments` };
}

function resultPart(item: ResponsesItem, path: string): ToolResultPart {
  const callId = item.type === 'local_shell_call_output' ? (item.call_id ?? item.id) : item.call_id;
  return {
    type: 'tool-result',
    id: upstreamToolId(callId ?? '').id,
    kind: item.type === 'custom_tool_call_output' ? 'custom' : 'function',
    content: inputParts(item.output, `${path}.output`),
    path: `${path}.call_id`,
  };
}

const ROLES = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' } as const;

/** Items that only name tools: their tools join those of the request. */
const TOOL_LISTS: readonly unknown[] = ['additional_tools', 'tool_search_output', 'tool_search_call'];

function messageOf(item: ResponsesItem, path: string): NeutralMessage {
  const role = ROLES[item.role ?? 'user'];
  const { content } = item;
  if (role === 'assistant') return { role, path, content: outputParts(content) };
  if (role === 'user') return { role, path, content: inputParts(content, `${path}.content`) };
  return { role, path, content: [textPart(inputParts(content, path).map(textOf).join(''))] };
}

const textOf = (part: TextPart | MediaPart): string => (part.type === 'text' ? part.text : '');

function decodeItem(item: ResponsesItem, path: string): NeutralMessage | undefined {
  const type = item.type ?? 'message';
  if (type === 'message') return messageOf(item, path);
  if (type === 'reasoning') return { role: 'assistant', path, content: [reasoningPart(item)] };
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'local_shell_call') {
    return { role: 'assistant', path, content: [callPart(item, path)] };
  }
  if (type.endsWith('_output') && !TOOL_LISTS.includes(type)) {
    return { role: 'tool', path, content: [resultPart(item, path)] };
  }
  // Only the last item of an input triggers a compaction: an earlier one was answered.
  if (TOOL_LISTS.includes(type) || type === CONFIGURATION_UPDATE || type === 'compaction_trigger') return undefined;
  if (type === 'compaction') {
    const summary = unpackCompaction(item.encrypted_content) ?? '';
    return { role: 'user', path, content: [textPart(compactionText(summary))] };
  }
  const vendor = { protocol: 'openai-responses', data: item as Readonly<Record<string, unknown>> } as const;
  return { role: 'assistant', path, content: [{ type: 'vendor', vendor }] };
}

/** Items of one turn are one message: most vendors reject calls that their own message splits. */
function append(messages: NeutralMessage[], message: NeutralMessage): void {
  const last = messages.at(-1);
  if (last?.role === 'assistant' && message.role === 'assistant') {
    messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
  } else if (last?.role === 'tool' && message.role === 'tool') {
    messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
  } else messages.push(message);
}

/** Decodes instructions and input. Neighbouring items of one side become one message. */
export function decodeItems({ instructions, input }: ResponsesRequest): readonly NeutralMessage[] {
  const messages: NeutralMessage[] = [];
  if (instructions) messages.push({ role: 'system', path: 'instructions', content: [textPart(instructions)] });
  if (typeof input === 'string') return [...messages, { role: 'user', path: 'input', content: [textPart(input)] }];
  input.forEach((item, index) => {
    const message = decodeItem(item, `input[${index}]`);
    if (message !== undefined) append(messages, message);
  });
  return messages;
}
