import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { objectAt } from '../json/read-fields.js';
import { coherentCounts, readCount, readOptionalCount, type TokenCounts } from '../metering/token-counts.js';

/** Reads `usage`. Undefined if a required count is absent or any count is invalid. */
export function readMessagesUsage(usage: unknown): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const output = readCount(usage.output_tokens);
  const prompt = readPromptCounts(usage);
  const thinking = readOptionalCount(objectAt(usage, 'output_tokens_details').thinking_tokens);
  if (output === undefined || prompt === undefined || thinking === undefined) return undefined;
  return coherentCounts({ ...prompt, completionTokens: output, reasoningTokens: thinking });
}

export type PromptCounts = Omit<TokenCounts, 'completionTokens' | 'reasoningTokens'>;

/** Reads the prompt counts. `input_tokens` excludes cached tokens here, so the prompt is the sum of all three. */
export function readPromptCounts(usage: JsonObject): PromptCounts | undefined {
  const input = readCount(usage.input_tokens);
  const cached = readOptionalCount(usage.cache_read_input_tokens);
  const written = readOptionalCount(usage.cache_creation_input_tokens);
  const written1h = readOptionalCount(objectAt(usage, 'cache_creation').ephemeral_1h_input_tokens);
  if (input === undefined || cached === undefined || written === undefined || written1h === undefined) return undefined;
  if (written1h > written) return undefined;
  return {
    promptTokens: input + cached + written,
    cachedTokens: cached,
    cacheWriteTokens: written - written1h,
    cacheWrite1hTokens: written1h,
  };
}

/** Merges a later `usage` of a stream into an earlier one. Later counts replace earlier ones: they are cumulative. */
export function mergeUsage(earlier: JsonObject, later: unknown): JsonObject {
  if (!isJsonObject(later)) return earlier;
  const present = Object.entries(later).filter(([, value]) => value != null);
  return { ...earlier, ...Object.fromEntries(present) };
}
