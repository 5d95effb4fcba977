import type { MessagesResponse, MessagesResponseBlock, Usage } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { type WireCompletion, wireCompletion } from '../openai-compatible-chat/completion-wire.js';
import { type MessageFrame, messageIdOf, messagesUsageOf, stopDetailsOf, stopReasonOf } from './message-frame.js';
import { clientToolId, extraOf } from './tool-call-id.js';

type Message = WireCompletion['choices'][number]['message'];
type ToolCall = NonNullable<Message['tool_calls']>[number];

/** Converts a `chat.completion` to a message: thinking, then text, then tool uses. */
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
    content: blocksOf(choice.message, frame.showsThinking),
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: stopDetailsOf(stopReason, refusal),
    usage: messagesUsageOf(usage),
  };
  return Buffer.from(JSON.stringify(message));
}

/** The thinking signature is empty: no vendor signed it, and `chat-messages.ts` drops thinking of later requests. */
function blocksOf({ content, reasoning_content: reasoning, tool_calls: calls }: Message, showsThinking: boolean) {
  const blocks: MessagesResponseBlock[] = [];
  if (showsThinking && reasoning) blocks.push({ type: 'thinking', thinking: reasoning, signature: '' });
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

/** Invalid arguments become an empty object: the format allows only objects. */
function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
