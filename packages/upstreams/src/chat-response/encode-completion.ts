import type { ChatCompletion, ChatFinishReason, ChatToolCall } from '@gateway/contracts';
import { chatUsageOf, type TokenCounts } from '../metering/token-counts.js';
import type { CompletionHead } from './completion-head.js';

export interface CompletionContent {
  readonly text: string | null;
  readonly reasoning?: string;
  readonly refusal?: string | null;
  readonly toolCalls?: readonly ChatToolCall[];
  readonly finishReason: ChatFinishReason;
}

/** Encodes one `chat.completion`. Omits `reasoning_content` and `tool_calls` if they are empty. */
export function encodeCompletion(head: CompletionHead, content: CompletionContent, counts: TokenCounts): Uint8Array {
  const { text, reasoning = '', refusal = null, toolCalls = [], finishReason } = content;
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
