import { isJsonObject, objectAt } from '../failures/error-body.js';
import { coherentCounts, readCount, readOptionalCount, type TokenCounts } from '../metering/token-counts.js';

/** Reads `usage`. Undefined if a required count is absent or any count is invalid. */
export function readResponsesUsage(usage: unknown): TokenCounts | undefined {
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
  });
}
