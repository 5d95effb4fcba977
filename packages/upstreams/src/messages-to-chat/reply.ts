import type { MessagesResponse, MessagesResponseBlock, Usage } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { type WireCompletion, wireCompletion } from '../openai-compatible-chat/completion-wire.js';
import { type MessageFrame, messageIdOf, messagesUsageOf, stopDetailsOf, stopReasonOf } from './message-frame.js';
import { clientToolId, extraOf } from './tool-call-id.js';

type Message = WireCompletion['choices'][number]['message'];
type ToolCall = NonNullable<Message['tool_calls']>[number];

/** A whole `chat.completion` as a message: thinking, then text, then calls of tools. */
export function messageOf(completion: Uint8Array, usage: Usage, frame: MessageFrame): Uint8Array {
  const parsed = wireCompletion.safeParse(parseUpstreamJson(completion));
  const choice = parsed.data?.choices[0];
  if (choice === undefined) throw malformedResponse();
  const refusal = choice.message.refusal ?? '';
  const stopReason = stopReasonOf(choice.finish_reason ?? '', refusal);
  const message: MessagesResponse = {
    id: messageIdOf(parsed.data?.id, frame),
    type: 'message',
    role: 'assistant',
    model: frame.model,
    content: blocksOf(choice.message, frame.withThinking),
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: stopDetailsOf(stopReason, refusal),
    usage: messagesUsageOf(usage),
  };
  return Buffer.from(JSON.stringify(message));
}

/** The signature of thinking is empty: nobody signed it, and it is not sent upstream again. */
function blocksOf({ content, reasoning_content: reasoning, tool_calls: calls }: Message, withThinking: boolean) {
  const blocks: MessagesResponseBlock[] = [];
  if (withThinking && reasoning) blocks.push({ type: 'thinking', thinking: reasoning, signature: '' });
  if (content) blocks.push({ type: 'text', text: content });
  return [...blocks, ...(calls ?? []).map(toolUseOf)];
}

function toolUseOf(call: ToolCall, index: number): MessagesResponseBlock {
  const { id, function: called } = call;
  return {
    type: 'tool_use',
    id: clientToolId(id ?? `call_${index}`, extraOf(call)),
    name: called?.name ?? '',
    input: inputOf(called?.arguments ?? ''),
  };
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
