import type { AssistantPart, NeutralMessage, NeutralRequest, ToolResultPart } from '@gateway/contracts';
import { inputPart } from './input-parts.js';
import { reasoningItem } from './reasoning.js';
import type { InputItem, InputPart, OutputPart } from './wire.js';

const JSON_INSTRUCTION = 'Answer with one JSON object.';

export interface Prompt {
  readonly instructions: string | undefined;
  readonly input: readonly InputItem[];
}

/**
 * Encodes messages as input items. Leading instructions become `instructions`, later ones stay in place. Throws a
 * GatewayError (400) that names an unsupported part.
 */
export function promptOf(request: Pick<NeutralRequest, 'messages' | 'settings'>): Prompt {
  const { messages } = request;
  const found = messages.findIndex(({ role }) => role !== 'system');
  const firstOther = found === -1 ? 0 : found;
  const instructions = messages.slice(0, firstOther).map(textOf).join('\n');
  const others = messages.slice(firstOther);
  const input = itemsOf(others);
  return {
    instructions: instructions === '' ? undefined : instructions,
    input: needsJsonWord(request, others) ? [developerItem(JSON_INSTRUCTION), ...input] : input,
  };
}

type Part = NeutralMessage['content'][number];

const partText = (part: Part): string => {
  if (part.type === 'text' || part.type === 'refusal') return part.text;
  return part.type === 'tool-result' ? part.content.map(partText).join('\n') : '';
};

/** Blocks of an instruction stay apart only where one has a cache mark: their borders are line breaks. */
const textOf = ({ content }: NeutralMessage): string => content.map(partText).join('\n');

/** The vendor rejects `json_object` unless the input contains "json". It does not search `instructions`. */
const needsJsonWord = ({ settings }: Pick<NeutralRequest, 'settings'>, others: readonly NeutralMessage[]): boolean =>
  settings.format?.type === 'json' && !others.some((message) => /json/i.test(textOf(message)));

const developerItem = (text: string): InputItem => ({
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text }],
});

const userItem = (content: readonly InputPart[]): InputItem => ({ type: 'message', role: 'user', content });

/** Media of tool results open the next user message: outputs are text here. */
function itemsOf(messages: readonly NeutralMessage[]): readonly InputItem[] {
  const items: InputItem[] = [];
  let waiting: readonly InputPart[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      items.push(...message.content.map(outputItem));
      waiting = [...waiting, ...message.content.flatMap(mediaOf)];
      continue;
    }
    const parts = message.role === 'user' ? [...waiting, ...message.content.map(inputPart)] : waiting;
    waiting = [];
    if (parts.length > 0) items.push(userItem(parts));
    if (message.role === 'system') items.push(developerItem(textOf(message)));
    else if (message.role === 'assistant') items.push(...assistantItems(message.content));
  }
  return waiting.length > 0 ? [...items, userItem(waiting)] : items;
}

const mediaOf = ({ content }: ToolResultPart): readonly InputPart[] =>
  content.flatMap((part) => (part.type === 'media' ? [inputPart(part)] : []));

const outputItem = ({ id, kind, content }: ToolResultPart): InputItem => ({
  type: kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output',
  call_id: id,
  output: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
});

/** Neighbouring text and refusals are one message. Drops what only another vendor can read. */
function assistantItems(parts: readonly AssistantPart[]): readonly InputItem[] {
  const items: InputItem[] = [];
  let content: OutputPart[] = [];
  const flush = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: 'assistant', content });
    content = [];
  };
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text !== '') content.push({ type: 'output_text', text: part.text, annotations: [] });
    } else if (part.type === 'refusal') content.push({ type: 'refusal', refusal: part.text });
    else {
      flush();
      items.push(...assistantItem(part));
    }
  }
  flush();
  return items;
}

function assistantItem(part: Exclude<AssistantPart, { type: 'text' | 'refusal' }>): readonly InputItem[] {
  if (part.type === 'reasoning') return reasoningItem(part);
  if (part.type !== 'tool-call') return [];
  const { id, name, kind, input } = part;
  return kind === 'custom'
    ? [{ type: 'custom_tool_call', call_id: id, name, input }]
    : [{ type: 'function_call', call_id: id, name, arguments: input }];
}
