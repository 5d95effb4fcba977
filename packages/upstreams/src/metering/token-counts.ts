import type { ChatUsage, Unit, Usage } from '@gateway/contracts';

/** One upstream call's tokens, in one shape for all protocols. */
export interface TokenCounts {
  /** The whole prompt: cached, cache-written and audio tokens included. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Written to the five-minute cache; undefined where the upstream has no such count. */
  readonly cacheWriteTokens?: number | undefined;
  readonly cacheWrite1hTokens?: number;
  /** Uncached audio tokens, where audio has its own price. */
  readonly audioInputTokens?: number;
  /** All output, reasoning included. */
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** A count as an upstream gave it; undefined unless it is a whole number that is not negative. */
export const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** As `readCount`, with nothing said (absent or null) as zero. */
export const readOptionalCount = (value: unknown): number | undefined => (value == null ? 0 : readCount(value));

const plainInputTokens = (counts: TokenCounts): number =>
  counts.promptTokens -
  counts.cachedTokens -
  (counts.cacheWriteTokens ?? 0) -
  (counts.cacheWrite1hTokens ?? 0) -
  (counts.audioInputTokens ?? 0);

/** The counts, or undefined if they contradict themselves: parts of a prompt that are more than the prompt are not billed. */
export const coherentCounts = (counts: TokenCounts): TokenCounts | undefined =>
  plainInputTokens(counts) >= 0 && Number.isSafeInteger(counts.promptTokens + counts.completionTokens)
    ? { ...counts, reasoningTokens: Math.min(counts.reasoningTokens, counts.completionTokens) }
    : undefined;

export function usageOf(counts: TokenCounts, isEstimated: boolean): Usage {
  const special: readonly (readonly [Unit, number | undefined])[] = [
    ['cached_input_token', counts.cachedTokens],
    ['cache_write_token', counts.cacheWriteTokens],
    ['cache_write_1h_token', counts.cacheWrite1hTokens],
    ['input_audio_token', counts.audioInputTokens],
  ];
  const units: Partial<Record<Unit, number>> = { input_token: plainInputTokens(counts) };
  for (const [unit, count] of special) if (count !== undefined && count > 0) units[unit] = count;
  units.output_token = counts.completionTokens;
  return { units, inputTokensTotal: counts.promptTokens, isEstimated };
}

/** The counts as the client sees them. */
export const chatUsageOf = (counts: TokenCounts): ChatUsage => ({
  prompt_tokens: counts.promptTokens,
  completion_tokens: counts.completionTokens,
  total_tokens: counts.promptTokens + counts.completionTokens,
  prompt_tokens_details: {
    cached_tokens: counts.cachedTokens,
    ...(counts.cacheWriteTokens !== undefined && {
      cache_write_tokens: counts.cacheWriteTokens + (counts.cacheWrite1hTokens ?? 0),
    }),
  },
  completion_tokens_details: { reasoning_tokens: counts.reasoningTokens },
});
