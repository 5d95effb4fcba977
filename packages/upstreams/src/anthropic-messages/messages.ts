import type { AssistantPart, NeutralMessage, NeutralRequest, TextPart, ToolResultPart } from '@gateway/contracts';
import { CLOSING } from '../client-request/closing-turn.js';
import { parseArguments } from '../client-request/parse-arguments.js';
import { invalidRequest } from '../client-request/refuse-request.js';
import { cacheControlOf } from './cache-control.js';
import { mediaBlock } from './media.js';
import { thinkingBlocks } from './thinking-blocks.js';
import type { InputBlock, InputMessage, MediaBlock, TextBlock } from './wire.js';

/** First user message of a conversation that starts with the assistant: the upstream rejects such conversations. */
const OPENING: InputBlock = { type: 'text', text: '...' };

/** Last user message of a conversation that ends with the assistant. */
const CLOSING_CONTENT: readonly InputBlock[] = [{ type: 'text', text: CLOSING }];

/** True of messages that end with the turn that `inputMessages` adds. */
export const isClosed = (messages: readonly InputMessage[]): boolean => messages.at(-1)?.content === CLOSING_CONTENT;

const OWN_PROTOCOL = 'anthropic-messages';

interface MergedMessage {
  readonly role: InputMessage['role'];
  readonly content: InputBlock[];
}

/** Drops blank text: the upstream rejects it. */
const textBlocks = (text: string, { cache }: Pick<TextPart, 'cache'> = {}): TextBlock[] =>
  text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControlOf(cache) }];

/** Collects all instructions, in order. */
export const systemBlocks = ({ messages }: NeutralRequest): readonly TextBlock[] =>
  messages.flatMap((message) =>
    message.role === 'system' ? message.content.flatMap((part) => textBlocks(part.text, part)) : [],
  );

/**
 * Encodes the conversation as alternating user and assistant messages. Merges neighbours of one role, and puts tool
 * results first. Adds a user message at either end that the assistant has. Throws a GatewayError (400) if no message
 * remains, or the last one calls tools.
 */
export function inputMessages(request: NeutralRequest, param: string): readonly InputMessage[] {
  const merged: MergedMessage[] = [];
  for (const message of request.messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message);
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) merged.push({ role, content: blocks });
  }
  checkLastMessage(merged, request, param);
  const sent = merged.map(({ role, content }): InputMessage => ({ role, content: resultsFirst(content) }));
  if (merged[0]?.role === 'assistant') sent.unshift({ role: 'user', content: [OPENING] });
  if (merged.at(-1)?.role === 'assistant') sent.push({ role: 'user', content: CLOSING_CONTENT });
  return sent;
}

function checkLastMessage(merged: readonly MergedMessage[], { messages }: NeutralRequest, param: string): void {
  const last = merged.at(-1);
  if (last === undefined) throw invalidRequest(`'${param}' must hold at least one user message with content.`, param);
  if (last.role === 'assistant' && last.content.some(({ type }) => type === 'tool_use')) {
    throw invalidRequest(
      'The last message calls tools: the results of all its calls must follow it.',
      messages.at(-1)?.path ?? param,
    );
  }
}

function resultsFirst(blocks: readonly InputBlock[]): readonly InputBlock[] {
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return results.length === 0 ? blocks : [...results, ...blocks.filter(({ type }) => type !== 'tool_result')];
}

function blocksOf(message: Exclude<NeutralMessage, { role: 'system' }>): InputBlock[] {
  if (message.role === 'tool') return message.content.map(resultBlock);
  if (message.role === 'assistant') return assistantBlocks(message.content);
  return message.content.flatMap(inputBlock);
}

const inputBlock = (part: ToolResultPart['content'][number]): (TextBlock | MediaBlock)[] =>
  part.type === 'text' ? textBlocks(part.text, part) : [{ ...mediaBlock(part), ...cacheControlOf(part.cache) }];

/** Text alone is one string: the form that every model of the vendor takes. An error without a text is refused. */
function resultBlock({ id, content, isError, cache }: ToolResultPart): InputBlock {
  const isText = content.every((part) => part.type === 'text' && part.cache === undefined);
  const sent = isText
    ? content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    : content.flatMap(inputBlock);
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: isError === true && sent.length === 0 ? 'Error' : sent,
    ...(isError === true && { is_error: true }),
    ...cacheControlOf(cache),
  };
}

/** Neighbouring text is one block, a refusal included. Drops what only another vendor can read. */
function assistantBlocks(parts: readonly AssistantPart[]): InputBlock[] {
  const blocks: InputBlock[] = [];
  let text = '';
  const flush = (cache?: TextPart['cache']): void => {
    blocks.push(...textBlocks(text, { cache }));
    text = '';
  };
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'refusal') {
      text += part.text;
      if (part.type === 'text' && part.cache !== undefined) flush(part.cache);
      continue;
    }
    flush();
    blocks.push(...assistantBlock(part));
  }
  flush();
  return blocks;
}

function assistantBlock(part: Exclude<AssistantPart, { type: 'text' | 'refusal' }>): readonly InputBlock[] {
  switch (part.type) {
    case 'reasoning':
      return thinkingBlocks(part);
    case 'tool-call': {
      const input = parseArguments(part.input, part.path);
      return [{ type: 'tool_use', id: part.id, name: part.name, input, ...cacheControlOf(part.cache) }];
    }
    case 'vendor':
      return part.vendor.protocol === OWN_PROTOCOL ? [part.vendor.data as InputBlock] : [];
    case 'media':
      return [];
  }
}
