import type { ChatCompletionRequest, ChatMessage } from '@gateway/contracts';
import { contentParam, invalidRequest } from '../client-request/refuse-request.js';
import { textOf } from '../client-request/text-of.js';
import { mediaBlock } from './media.js';
import type { InputBlock, InputMessage, TextBlock } from './wire.js';

/** First user message of a conversation that starts with the assistant: the upstream rejects such conversations. */
const OPENING: InputBlock = { type: 'text', text: '...' };

interface MergedMessage {
  readonly role: InputMessage['role'];
  readonly content: InputBlock[];
}

/** Drops blank text: the upstream rejects it. */
const textBlocks = (text: string): TextBlock[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

/** Collects all system and developer messages, in order. */
export const systemBlocks = (request: ChatCompletionRequest): readonly TextBlock[] =>
  request.messages.filter(isInstruction).flatMap(({ content }) => textBlocks(textOf(content)));

/**
 * Converts the conversation to alternating user and assistant messages. Merges neighbours of one role, and puts tool
 * results first. Throws a GatewayError (400) if no message remains or the last one is the assistant's.
 */
export function inputMessages(request: ChatCompletionRequest): readonly InputMessage[] {
  const merged: MergedMessage[] = [];
  for (const [index, message] of request.messages.entries()) {
    if (isInstruction(message)) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, index);
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) merged.push({ role, content: blocks });
  }
  checkLastRole(merged, request);
  const opened: readonly MergedMessage[] =
    merged[0]?.role === 'assistant' ? [{ role: 'user', content: [OPENING] }, ...merged] : merged;
  return opened.map(({ role, content }) => ({ role, content: resultsFirst(content) }));
}

function checkLastRole(merged: readonly MergedMessage[], request: ChatCompletionRequest): void {
  const last = merged.at(-1);
  if (last === undefined)
    throw invalidRequest("'messages' must hold at least one user message with content.", 'messages');
  if (last.role === 'assistant') {
    throw invalidRequest(
      'This model does not support assistant message prefill: the last message must be from the user.',
      `messages[${request.messages.length - 1}]`,
    );
  }
}

function resultsFirst(blocks: readonly InputBlock[]): readonly InputBlock[] {
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return results.length === 0 ? blocks : [...results, ...blocks.filter(({ type }) => type !== 'tool_result')];
}

function blocksOf(message: ChatMessage, index: number): InputBlock[] {
  if (message.role === 'tool') {
    return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: textOf(message.content) }];
  }
  if (message.role === 'assistant') {
    return [...textBlocks(textOf(message.content) || (message.refusal ?? '')), ...toolUses(message, index)];
  }
  if (message.role !== 'user' || typeof message.content === 'string') return textBlocks(textOf(message.content));
  return message.content.flatMap((part, partIndex) =>
    part.type === 'text' ? textBlocks(part.text) : [mediaBlock(part, contentParam(index, partIndex))],
  );
}

function toolUses(message: Extract<ChatMessage, { role: 'assistant' }>, index: number): InputBlock[] {
  return (message.tool_calls ?? []).map(({ id, function: called }, callIndex) => ({
    type: 'tool_use',
    id,
    name: called.name,
    input: parseArguments(called.arguments, `messages[${index}].tool_calls[${callIndex}].function.arguments`),
  }));
}

function parseArguments(text: string, param: string): unknown {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is rejected below, like JSON that is not an object.
  }
  throw invalidRequest('The arguments of a tool call must be a JSON object.', param);
}
