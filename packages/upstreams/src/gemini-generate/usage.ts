import { isJsonObject, type JsonObject } from '../failures/error-body.js';
import { coherentCounts, readCount, readOptionalCount, type TokenCounts } from '../metering/token-counts.js';

export type PromptCounts = Omit<TokenCounts, 'completionTokens' | 'reasoningTokens'>;

/** What `usageMetadata` says of the prompt, cached and audio tokens included; undefined if it cannot be trusted. */
export function readPromptCounts(metadata: unknown): PromptCounts | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const prompt = readCount(metadata.promptTokenCount);
  const toolUse = readOptionalCount(metadata.toolUsePromptTokenCount);
  const cached = readOptionalCount(metadata.cachedContentTokenCount);
  if (prompt === undefined || toolUse === undefined || cached === undefined || cached > prompt) return undefined;
  const audio = audioTokens(metadata.promptTokensDetails) - audioTokens(metadata.cacheTokensDetails);
  return {
    promptTokens: prompt + toolUse,
    cachedTokens: cached,
    audioInputTokens: Math.min(Math.max(audio, 0), prompt - cached),
  };
}

/**
 * The counts of `usageMetadata`; undefined if they cannot be trusted. The upstream leaves zeros out, so a missing count
 * is zero, unless `hasOutput` shows that it cannot be: then the total tells it, or nothing does.
 */
export function readUsageMetadata(metadata: unknown, hasOutput: boolean): TokenCounts | undefined {
  const prompt = readPromptCounts(metadata);
  if (prompt === undefined || !isJsonObject(metadata)) return undefined;
  const thoughts = readOptionalCount(metadata.thoughtsTokenCount);
  if (thoughts === undefined) return undefined;
  const candidates = candidatesOf(metadata, prompt.promptTokens + thoughts, hasOutput);
  if (candidates === undefined) return undefined;
  return coherentCounts({ ...prompt, completionTokens: candidates + thoughts, reasoningTokens: thoughts });
}

function candidatesOf(metadata: JsonObject, others: number, hasOutput: boolean): number | undefined {
  if (metadata.candidatesTokenCount != null) return readCount(metadata.candidatesTokenCount);
  if (!hasOutput) return 0;
  const rest = (readCount(metadata.totalTokenCount) ?? 0) - others;
  return rest > 0 ? rest : undefined;
}

/** Tokens of audio in a list of counts by modality. */
function audioTokens(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const audio = details.find((entry: unknown) => isJsonObject(entry) && entry.modality === 'AUDIO');
  return isJsonObject(audio) ? (readCount(audio.tokenCount) ?? 0) : 0;
}
