import type { ChatCompletionRequest, ChatMessage, ChatUserPart } from '@gateway/contracts';
import { contentParam, invalidRequest, unsupportedPart } from '../client-request/refuse-request.js';
import { textOf } from '../client-request/text-of.js';
import type { InputItem, InputPart, OutputPart } from './wire.js';

const JSON_INSTRUCTION = 'Answer with one JSON object.';

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

export interface Prompt {
  readonly instructions: string | undefined;
  readonly input: readonly InputItem[];
}

/**
 * Converts messages to input items. Leading system messages become `instructions`, later ones stay in place. Throws a
 * GatewayError (400) that names an unsupported part.
 */
export function promptOf(request: ChatCompletionRequest): Prompt {
  const { messages } = request;
  const found = messages.findIndex((message) => !isInstruction(message));
  const firstOther = found === -1 ? 0 : found;
  const instructions = messages
    .slice(0, firstOther)
    .map(({ content }) => textOf(content))
    .join('\n');
  const others = messages.slice(firstOther);
  const input = others.flatMap((message, index) => itemsOf(message, firstOther + index));
  return {
    instructions: instructions === '' ? undefined : instructions,
    input: needsJsonWord(request, others) ? [developerItem(JSON_INSTRUCTION), ...input] : input,
  };
}

/** The vendor rejects `json_object` unless the input contains "json". It does not search `instructions`. */
const needsJsonWord = ({ response_format: format }: ChatCompletionRequest, others: readonly ChatMessage[]): boolean =>
  format?.type === 'json_object' && !others.some(({ content }) => /json/i.test(textOf(content)));

const developerItem = (text: string): InputItem => ({
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text }],
});

function itemsOf(message: ChatMessage, index: number): readonly InputItem[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [developerItem(textOf(message.content))];
    case 'user':
      return [{ type: 'message', role: 'user', content: userParts(message.content, index) }];
    case 'assistant':
      return assistantItems(message);
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output: textOf(message.content) }];
  }
}

function userParts(content: string | readonly ChatUserPart[], index: number): readonly InputPart[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }];
  return content.map((part, partIndex) => inputPart(part, contentParam(index, partIndex)));
}

function inputPart(part: ChatUserPart, param: string): InputPart {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  if (part.type === 'image_url') {
    return { type: 'input_image', image_url: part.image_url.url, detail: part.image_url.detail ?? 'auto' };
  }
  if (part.type !== 'file') throw unsupportedPart(part.type, param);
  const { file_data: data, file_id: id, filename } = part.file;
  if (data === undefined && id === undefined) throw invalidRequest("A file needs 'file_data' or 'file_id'.", param);
  return {
    type: 'input_file',
    ...(data !== undefined ? { file_data: data } : { file_id: id ?? '' }),
    ...(filename !== undefined && { filename }),
  };
}

function assistantItems(message: Extract<ChatMessage, { role: 'assistant' }>): readonly InputItem[] {
  const content = outputParts(message);
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: called }): InputItem => ({
      type: 'function_call',
      call_id: id,
      name: called.name,
      arguments: called.arguments,
    }),
  );
  return content.length === 0 ? calls : [{ type: 'message', role: 'assistant', content }, ...calls];
}

function outputParts({ content, refusal }: Extract<ChatMessage, { role: 'assistant' }>): readonly OutputPart[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : (content ?? []);
  const written = parts.flatMap((part): OutputPart[] => {
    if (part.type === 'refusal') return [{ type: 'refusal', refusal: part.refusal }];
    return part.text === '' ? [] : [{ type: 'output_text', text: part.text, annotations: [] }];
  });
  return refusal ? [...written, { type: 'refusal', refusal }] : written;
}
