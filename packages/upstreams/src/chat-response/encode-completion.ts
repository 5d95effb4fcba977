import type { ChatCompletion, ChatFinishReason, ChatToolCall } from '@gateway/contracts';
import { chatUsageOf, type TokenCounts } from '../metering/token-counts.js';
import type { CompletionHead } from './chunk-encoder.js';

export interface CompletionContent {
  readonly text: string | null;
  readonly reasoning?: string;
  readonly refusal?: string | null;
  readonly toolCalls?: readonly ChatToolCall[];
  readonly finishReason: ChatFinishReason;
}

/** The bytes of one `chat.completion`. Reasoning and tool calls are left out where there are none. */
export function encodeCompletion(head: CompletionHead, answer: CompletionContent, counts: TokenCounts): Uint8Array {
  const { text, reasoning = '', refusal = null, toolCalls = [], finishReason } = answer;
  const completion: ChatCompletion = {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          refusal,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage: chatUsageOf(counts),
  };
  return Buffer.from(JSON.stringify(completion));
}
