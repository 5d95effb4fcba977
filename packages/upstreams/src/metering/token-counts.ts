import type { TokenCounts, Unit, Usage } from '@gateway/contracts';

export type { TokenCounts } from '@gateway/contracts';

/** A thousand times the largest context. A larger count is a fault, and its cost would not fit into the ledger. */
const MOST_COUNTED = 1_000_000_000;

/** Validates a count: a whole number of at least zero that a call can have; undefined otherwise. */
export const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_COUNTED ? value : undefined;

/** As `readCount`; absent or null is zero. */
export const readOptionalCount = (value: unknown): number | undefined => (value == null ? 0 : readCount(value));

const plainInputTokens = (counts: TokenCounts): number =>
  counts.promptTokens -
  counts.cachedTokens -
  (counts.cacheWriteTokens ?? 0) -
  (counts.cacheWrite1hTokens ?? 0) -
  (counts.audioInputTokens ?? 0);

/** Returns the counts, or undefined if the parts of the prompt exceed the prompt: such counts are not billed. */
export const coherentCounts = (counts: TokenCounts): TokenCounts | undefined =>
  plainInputTokens(counts) >= 0
    ? { ...counts, reasoningTokens: Math.min(counts.reasoningTokens, counts.completionTokens) }
    : undefined;

/** Counts as billable units. The units of the prompt sum to `promptTokens`. */
export function usageOf(counts: TokenCounts, isEstimated: boolean): Usage {
  const pricedSeparately: readonly (readonly [Unit, number | undefined])[] = [
    ['cached_input_token', counts.cachedTokens],
    ['cache_write_token', counts.cacheWriteTokens],
    ['cache_write_1h_token', counts.cacheWrite1hTokens],
    ['input_audio_token', counts.audioInputTokens],
  ];
  const units: Partial<Record<Unit, number>> = { input_token: plainInputTokens(counts) };
  for (const [unit, count] of pricedSeparately) if (count !== undefined && count > 0) units[unit] = count;
  units.output_token = counts.completionTokens;
  const { promptTokens, unpriced = [] } = counts;
  return { units, inputTokensTotal: promptTokens, isEstimated, ...(unpriced.length > 0 && { unpriced }) };
}

/** An estimate whose prompt the upstream may have counted already. */
export const estimatedUsageOf = (counts: TokenCounts, countedPrompt: object | undefined): Usage => ({
  ...usageOf(counts, true),
  ...(countedPrompt !== undefined && { isPromptCounted: true }),
});
