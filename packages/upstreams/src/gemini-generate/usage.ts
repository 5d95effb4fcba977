import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { coherentCounts, readCount, readOptionalCount, type TokenCounts } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn } from '../metering/unpriced-usage.js';

export type PromptCounts = Omit<TokenCounts, 'completionTokens' | 'reasoningTokens'>;

/** Reads the prompt counts of `usageMetadata`, including cached and audio tokens. Undefined if inconsistent. */
export function readPromptCounts(metadata: unknown): PromptCounts | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const prompt = readCount(metadata.promptTokenCount);
  const toolUse = readOptionalCount(metadata.toolUsePromptTokenCount);
  const cached = readOptionalCount(metadata.cachedContentTokenCount);
  if (prompt === undefined || toolUse === undefined || cached === undefined || cached > prompt) return undefined;
  const allAudio = audioTokens(metadata.promptTokensDetails);
  const audio = allAudio - audioTokens(metadata.cacheTokensDetails);
  return {
    promptTokens: prompt + toolUse,
    cachedTokens: cached,
    audioInputTokens: Math.min(Math.max(audio, 0), prompt - cached),
    audioTokens: Math.min(allAudio, prompt),
  };
}

/** Lists by modality: audio of the prompt is read, the other counts have one price. */
const KNOWN: KnownUsage = {
  counts: new Set([
    ...['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount', 'cachedContentTokenCount'],
    ...['thoughtsTokenCount', 'toolUsePromptTokenCount', 'promptTokensDetails', 'cacheTokensDetails'],
    ...['candidatesTokensDetails', 'toolUsePromptTokensDetails'],
  ]),
  words: { trafficType: ['ON_DEMAND'], serviceTier: ['standard', 'STANDARD'] },
};

/**
 * Reads `usageMetadata`. Undefined if inconsistent. The upstream omits zeros, so a missing count is zero. If `hasOutput`
 * contradicts that, the count is the difference to `totalTokenCount`.
 */
export function readUsageMetadata(metadata: unknown, hasOutput: boolean): TokenCounts | undefined {
  const prompt = readPromptCounts(metadata);
  if (prompt === undefined || !isJsonObject(metadata)) return undefined;
  const thoughts = readOptionalCount(metadata.thoughtsTokenCount);
  if (thoughts === undefined) return undefined;
  const candidates = candidatesOf(metadata, prompt.promptTokens + thoughts, hasOutput);
  if (candidates === undefined) return undefined;
  return coherentCounts({
    ...prompt,
    completionTokens: candidates + thoughts,
    reasoningTokens: thoughts,
    unpriced: unpricedIn(metadata, KNOWN),
  });
}

function candidatesOf(metadata: JsonObject, others: number, hasOutput: boolean): number | undefined {
  if (metadata.candidatesTokenCount != null) return readCount(metadata.candidatesTokenCount);
  if (!hasOutput) return 0;
  const difference = (readCount(metadata.totalTokenCount) ?? 0) - others;
  return difference > 0 ? difference : undefined;
}

/** Audio tokens in a list of counts by modality. */
function audioTokens(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const audio = details.find((entry: unknown) => isJsonObject(entry) && entry.modality === 'AUDIO');
  return isJsonObject(audio) ? (readCount(audio.tokenCount) ?? 0) : 0;
}
