import type { Completion } from '../../completion/completion.js';
import type { TokenCounts } from '../../count/tokens.js';
import { newId } from '../vendor-ids.js';

export interface ChatIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export const newToolCallId = (): string => `call_${newId(24)}`;

const FINISH = { stop: 'stop', stop_sequence: 'stop', length: 'length', tool_calls: 'tool_calls' } as const;

export const finishReason = (completion: Completion): string => FINISH[completion.finish];

/** `prompt_tokens` includes cached tokens, `completion_tokens` reasoning. */
export const chatUsage = (counts: TokenCounts) => {
  const completionTokens = counts.visibleTokens + counts.reasoningTokens;
  return {
    prompt_tokens: counts.inputTokens,
    completion_tokens: completionTokens,
    total_tokens: counts.inputTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: counts.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
};

/** The body of a plain answer. */
export const chatCompletion = (identity: ChatIdentity, completion: Completion, hidesUsage: boolean): string => {
  const toolCalls = completion.toolCalls.map((call) => ({
    id: newToolCallId(),
    type: 'function',
    function: { name: call.name, arguments: call.argumentsJson },
  }));
  return JSON.stringify({
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: toolCalls.length > 0 ? null : completion.text,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: finishReason(completion),
      },
    ],
    ...(hidesUsage ? {} : { usage: chatUsage(completion.counts) }),
    service_tier: 'default',
    system_fingerprint: null,
  });
};
