import type { Completion } from '../../completion/completion.js';
import {
  AUDIO_TOKENS,
  IMAGE_TOKENS,
  type PromptContents,
  type TokenCounts,
  tokensOfBytes,
  VIDEO_TOKENS,
} from '../../count/tokens.js';
import { newId } from '../vendor-ids.js';

export interface CompatIdentity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly thinks: boolean;
  readonly hidesUsage: boolean;
  readonly prompt: PromptContents;
}

export const newToolCallId = (): string => `call_${newId(22)}`;

export const finishReason = (completion: Completion): string =>
  completion.finish === 'stop_sequence' ? 'stop' : completion.finish;

const mediaDetails = (prompt: PromptContents) => ({
  ...(prompt.images > 0 ? { image_tokens: prompt.images * IMAGE_TOKENS } : {}),
  ...(prompt.audios > 0 ? { audio_tokens: prompt.audios * AUDIO_TOKENS } : {}),
  ...(prompt.videos > 0 ? { video_tokens: prompt.videos * VIDEO_TOKENS } : {}),
});

/** `completion_tokens` includes reasoning, `prompt_tokens` cached tokens. */
export const compatUsage = (counts: TokenCounts, identity: CompatIdentity) => {
  const completionTokens = counts.visibleTokens + counts.reasoningTokens;
  return {
    prompt_tokens: counts.inputTokens,
    completion_tokens: completionTokens,
    total_tokens: counts.inputTokens + completionTokens,
    completion_tokens_details: {
      ...(identity.thinks ? { reasoning_tokens: counts.reasoningTokens } : {}),
      text_tokens: counts.visibleTokens,
    },
    prompt_tokens_details: {
      cached_tokens: counts.cachedTokens,
      text_tokens: tokensOfBytes(identity.prompt.textBytes),
      ...mediaDetails(identity.prompt),
    },
  };
};

/** The body of a plain answer. */
export const chatCompletion = (identity: CompatIdentity, completion: Completion): string => {
  const toolCalls = completion.toolCalls.map((call, index) => ({
    function: { arguments: call.argumentsJson, name: call.name },
    index,
    id: newToolCallId(),
    type: 'function',
  }));
  return JSON.stringify({
    choices: [
      {
        message: {
          content: completion.text,
          role: 'assistant',
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: finishReason(completion),
        index: 0,
        logprobs: null,
      },
    ],
    object: 'chat.completion',
    ...(identity.hidesUsage ? {} : { usage: compatUsage(completion.counts, identity) }),
    created: identity.created,
    system_fingerprint: null,
    model: identity.model,
    id: identity.id,
  });
};
