import { isJsonObject } from '@gateway/contracts';
import { objectAt } from '../json/read-fields.js';
import { coherentCounts, readCount, readOptionalCount, type TokenCounts } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn } from '../metering/unpriced-usage.js';

/** Counts of text, image and video are parts of the prompt. Audio has a price of its own in no model of these protocols. */
const KNOWN: KnownUsage = {
  counts: new Set([
    ...['prompt_tokens', 'completion_tokens', 'total_tokens'],
    ...['cached_tokens', 'cache_write_tokens', 'cache_creation_input_tokens', 'cache_creation', 'text_tokens'].map(
      (name) => `prompt_tokens_details.${name}`,
    ),
    ...['image_tokens', 'video_tokens'].map((name) => `prompt_tokens_details.${name}`),
    ...['reasoning_tokens', 'text_tokens', 'accepted_prediction_tokens', 'rejected_prediction_tokens'].map(
      (name) => `completion_tokens_details.${name}`,
    ),
  ]),
  words: { service_tier: ['default', 'standard', 'auto'] },
};

/**
 * Reads a `usage` object. Undefined if it is absent, inconsistent, or a count is not a whole number. `serviceTier`: the
 * field beside it.
 */
export function readCompletionUsage(usage: unknown, serviceTier?: unknown): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const promptTokens = readCount(usage.prompt_tokens);
  const completionTokens = readCount(usage.completion_tokens);
  const prompt = objectAt(usage, 'prompt_tokens_details');
  const cachedTokens = readOptionalCount(prompt.cached_tokens);
  const written = prompt.cache_write_tokens ?? prompt.cache_creation_input_tokens;
  const cacheWriteTokens = readOptionalCount(written);
  const reasoningTokens = readOptionalCount(objectAt(usage, 'completion_tokens_details').reasoning_tokens);
  if (promptTokens === undefined || completionTokens === undefined || cachedTokens === undefined) return undefined;
  if (cacheWriteTokens === undefined || reasoningTokens === undefined) return undefined;
  return coherentCounts({
    promptTokens,
    cachedTokens,
    ...(written != null && { cacheWriteTokens }),
    ...(prompt.audio_tokens != null && { audioTokens: Math.min(readCount(prompt.audio_tokens) ?? 0, promptTokens) }),
    completionTokens,
    reasoningTokens,
    unpriced: unpricedIn({ ...usage, service_tier: serviceTier }, KNOWN),
  });
}

/** True if a usage object has every field that the gateway's responses show. */
export const hasUsageDetails = (usage: unknown): boolean =>
  isJsonObject(usage) &&
  readCount(usage.total_tokens) !== undefined &&
  readCount(objectAt(usage, 'prompt_tokens_details').cached_tokens) !== undefined &&
  readCount(objectAt(usage, 'completion_tokens_details').reasoning_tokens) !== undefined;
