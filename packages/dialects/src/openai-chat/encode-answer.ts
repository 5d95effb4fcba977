import {
  type AnswerFrame,
  type AnswerPart,
  chatUsageOf,
  clientToolId,
  type NeutralAnswer,
  type ToolCallPart,
} from '@gateway/contracts';
import { annotationOf } from './annotations.js';
import { completionHead, finishReasonOf } from './completion-head.js';
import { reasoningDetail } from './reasoning-details.js';
import { extraContentOf } from './vendor-fields.js';

/** Encodes one `chat.completion`. Omits the fields of reasoning, annotations and calls that are empty. */
export function encodeAnswer(answer: NeutralAnswer, frame: AnswerFrame): Uint8Array {
  const { content, finish, counts } = answer;
  const reasoning = joined(content, 'reasoning');
  const thoughts = content.flatMap((part) => (part.type === 'reasoning' ? [part] : []));
  const annotations = content.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : [])).map(annotationOf);
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [toolCallOf(part)] : []));
  const { id, created, model } = completionHead(answer, frame);
  const message = {
    role: 'assistant',
    content: joined(content, 'text') || null,
    refusal: joined(content, 'refusal') || null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(thoughts.length > 0 && { reasoning_details: thoughts.map(reasoningDetail) }),
    ...(annotations.length > 0 && { annotations }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return Buffer.from(
    JSON.stringify({
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasonOf(finish) }],
      usage: chatUsageOf(counts),
    }),
  );
}

const joined = (content: readonly AnswerPart[], kind: 'text' | 'reasoning' | 'refusal'): string =>
  content.map((part) => (part.type === kind ? part.text : '')).join('');

const toolCallOf = ({ id, name, kind, input, vendor }: ToolCallPart): object => ({
  id: clientToolId(id, vendor),
  type: kind,
  ...(kind === 'custom' ? { custom: { name, input } } : { function: { name, arguments: input } }),
  ...extraContentOf(vendor),
});
