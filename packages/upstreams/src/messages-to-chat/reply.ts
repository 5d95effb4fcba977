import type {
  AnswerBlock,
  ChatCompletion,
  ChatToolCall,
  MessagesAnswer,
  MessagesRequest,
  Usage,
} from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedAnswer, parseUpstreamJson } from '../failures/malformed-answer.js';
import { messageIdOf, messagesUsageOf, stopDetailsOf, stopReasonOf } from './answer-parts.js';
import { clientToolId } from './tool-call-id.js';

/** True if the client wants to see what the model thought. */
export const showsThinking = ({ thinking }: Pick<MessagesRequest, 'thinking'>): boolean =>
  thinking?.type !== 'disabled' && thinking?.display !== 'omitted';

/** A whole `chat.completion` as a message: thinking, then text, then calls of tools. */
export function messageOf(completion: Uint8Array, usage: Usage, withThinking: boolean): Uint8Array {
  const { id, model, choices } = parseUpstreamJson(completion) as ChatCompletion;
  const [choice] = choices;
  if (choice === undefined) throw malformedAnswer();
  const { content, reasoning_content: reasoning = '', refusal, tool_calls: calls = [] } = choice.message;
  const blocks: AnswerBlock[] = [];
  // Its signature is empty: nobody signed it, and it is not sent upstream again.
  if (withThinking && reasoning !== '') blocks.push({ type: 'thinking', thinking: reasoning, signature: '' });
  if (content != null && content !== '') blocks.push({ type: 'text', text: content });
  blocks.push(...calls.map(toolUseOf));
  const stopReason = stopReasonOf(choice.finish_reason, refusal ?? '');
  const message: MessagesAnswer = {
    id: messageIdOf(id),
    type: 'message',
    role: 'assistant',
    model,
    content: blocks,
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: stopDetailsOf(stopReason, refusal ?? ''),
    usage: messagesUsageOf(usage),
  };
  return Buffer.from(JSON.stringify(message));
}

function toolUseOf({ id, type: _type, function: called, ...extra }: ChatToolCall): AnswerBlock {
  return { type: 'tool_use', id: clientToolId(id, extra), name: called.name, input: inputOf(called.arguments) };
}

/** Arguments that a model has written badly are an empty object, as the format has no place for anything else. */
function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
