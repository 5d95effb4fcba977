import type { ChatUsage, TokenCounts } from '@gateway/contracts';

/** Counts in the client's `usage` object. */
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
