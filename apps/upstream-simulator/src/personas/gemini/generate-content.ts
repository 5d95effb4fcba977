import type { Answer, ToolCall } from '../../answer/answer.js';
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
export const usageMetadata = ({ counts }: Answer, prompt: PromptContents, candidateTokens: number) => ({
  promptTokenCount: counts.inputTokens,
  candidatesTokenCount: candidateTokens,
  totalTokenCount: counts.inputTokens + candidateTokens + counts.reasoningTokens,
  ...(counts.cachedTokens > 0 ? { cachedContentTokenCount: counts.cachedTokens } : {}),
  promptTokensDetails: promptDetails(prompt),
  ...(counts.reasoningTokens > 0 ? { thoughtsTokenCount: counts.reasoningTokens } : {}),
});

export const finishReason = (answer: Answer): 'STOP' | 'MAX_TOKENS' =>
  answer.finish === 'length' ? 'MAX_TOKENS' : 'STOP';

/** Only the first call of a turn is signed. */
export const callPart = (call: ToolCall | undefined, isFirst: boolean): object => ({
  functionCall: { name: call?.name, args: JSON.parse(call?.argumentsJson ?? '{}') as unknown },
  ...(isFirst ? { thoughtSignature: SIGNATURE } : {}),
});

/** The body of a plain answer. */
export const wholeContent = (identity: ContentIdentity, answer: Answer): string => {
  const parts = [
    ...(answer.thinking === '' ? [] : [{ text: answer.thinking, thought: true }]),
    ...(answer.text === '' ? [] : [{ text: answer.text }]),
    ...answer.toolCalls.map((call, at) => callPart(call, at === 0)),
  ];
  return JSON.stringify({
    candidates: [
      {
        content: { ...(parts.length > 0 ? { parts } : {}), role: 'model' },
        finishReason: finishReason(answer),
        index: 0,
        ...(answer.toolCalls.length > 0 ? { finishMessage: 'Model generated function call(s).' } : {}),
      },
    ],
    ...(identity.hidesUsage
      ? {}
      : { usageMetadata: usageMetadata(answer, identity.prompt, answer.counts.visibleTokens) }),
    modelVersion: identity.modelVersion,
    responseId: identity.responseId,
  });
};
