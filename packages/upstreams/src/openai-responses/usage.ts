import { isJsonObject } from '@gateway/contracts';
import { objectAt } from '../json/read-fields.js';
import { coherentCounts, readCount, readOptionalCount, type TokenCounts } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn } from '../metering/unpriced-usage.js';

const KNOWN: KnownUsage = {
  counts: new Set([
    ...['input_tokens', 'output_tokens', 'total_tokens', 'output_tokens_details.reasoning_tokens'],
    ...['cached_tokens', 'cache_write_tokens', 'text_tokens', 'image_tokens'].map(
      (name) => `input_tokens_details.${name}`,
    ),
    'output_tokens_details.text_tokens',
  ]),
  words: { service_tier: ['default', 'standard', 'auto'] },
};

/** Reads `usage`. Undefined if a required count is absent or any count is invalid. `serviceTier`: the field beside it. */
export function readResponsesUsage(usage: unknown, serviceTier?: unknown): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const promptTokens = readCount(usage.input_tokens);
  const completionTokens = readCount(usage.output_tokens);
  const input = objectAt(usage, 'input_tokens_details');
  const cachedTokens = readOptionalCount(input.cached_tokens);
  const cacheWriteTokens = readOptionalCount(input.cache_write_tokens);
  const reasoningTokens = readOptionalCount(objectAt(usage, 'output_tokens_details').reasoning_tokens);
  if (promptTokens === undefined || completionTokens === undefined || cachedTokens === undefined) return undefined;
  if (cacheWriteTokens === undefined || reasoningTokens === undefined) return undefined;
  return coherentCounts({
    promptTokens,
    cachedTokens,
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    completionTokens,
    reasoningTokens,
    unpriced: unpricedIn({ ...usage, service_tier: serviceTier }, KNOWN),
  });
}
