import type { Completion, ToolCall } from '../../completion/completion.js';
import { AUDIO_TOKENS, IMAGE_TOKENS, type PromptContents, tokensOfBytes, VIDEO_TOKENS } from '../../count/tokens.js';

export interface ContentIdentity {
  readonly responseId: string;
  readonly modelVersion: string;
  readonly hidesUsage: boolean;
  readonly prompt: PromptContents;
}

const SIGNATURE = 'c2ltdWxhdGVkLXRob3VnaHQtc2lnbmF0dXJl';

const promptDetails = (prompt: PromptContents): object[] =>
  [
    { modality: 'TEXT', tokenCount: tokensOfBytes(prompt.textBytes) },
    { modality: 'IMAGE', tokenCount: prompt.images * IMAGE_TOKENS },
    { modality: 'AUDIO', tokenCount: prompt.audios * AUDIO_TOKENS },
    { modality: 'VIDEO', tokenCount: prompt.videos * VIDEO_TOKENS },
  ].filter((detail) => detail.tokenCount > 0);

/** `candidatesTokenCount` excludes thoughts, the total includes them; `promptTokenCount` includes cached tokens. */
export const usageMetadata = ({ counts }: Completion, prompt: PromptContents, candidateTokens: number) => ({
  promptTokenCount: counts.inputTokens,
  candidatesTokenCount: candidateTokens,
  totalTokenCount: counts.inputTokens + candidateTokens + counts.reasoningTokens,
  ...(counts.cachedTokens > 0 ? { cachedContentTokenCount: counts.cachedTokens } : {}),
  promptTokensDetails: promptDetails(prompt),
  ...(counts.reasoningTokens > 0 ? { thoughtsTokenCount: counts.reasoningTokens } : {}),
});

export const finishReason = (completion: Completion): 'STOP' | 'MAX_TOKENS' =>
  completion.finish === 'length' ? 'MAX_TOKENS' : 'STOP';

/** Only the first call of a turn is signed. */
export const callPart = (call: ToolCall | undefined, isFirst: boolean): object => ({
  functionCall: { name: call?.name, args: JSON.parse(call?.argumentsJson ?? '{}') as unknown },
  ...(isFirst ? { thoughtSignature: SIGNATURE } : {}),
});

/** The body of a plain answer. */
export const wholeContent = (identity: ContentIdentity, completion: Completion): string => {
  const parts = [
    ...(completion.thinking === '' ? [] : [{ text: completion.thinking, thought: true }]),
    ...(completion.text === '' ? [] : [{ text: completion.text }]),
    ...completion.toolCalls.map((call, at) => callPart(call, at === 0)),
  ];
  return JSON.stringify({
    candidates: [
      {
        content: { ...(parts.length > 0 ? { parts } : {}), role: 'model' },
        finishReason: finishReason(completion),
        index: 0,
        ...(completion.toolCalls.length > 0 ? { finishMessage: 'Model generated function call(s).' } : {}),
      },
    ],
    ...(identity.hidesUsage
      ? {}
      : { usageMetadata: usageMetadata(completion, identity.prompt, completion.counts.visibleTokens) }),
    modelVersion: identity.modelVersion,
    responseId: identity.responseId,
  });
};
