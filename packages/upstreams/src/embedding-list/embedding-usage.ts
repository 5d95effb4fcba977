import { estimateTokens, textSize, type Usage } from '@gateway/contracts';
import { readCount } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import type { EmbeddingsCall } from '../protocol.js';

export const usageOfTokens = (tokens: number, isEstimated: boolean): Usage => ({
  units: { input_token: tokens },
  inputTokensTotal: tokens,
  isEstimated,
});

const KNOWN: KnownUsage = {
  counts: new Set([
    ...['prompt_tokens', 'total_tokens', 'text_tokens', 'promptTokenCount', 'totalTokenCount', 'promptTokensDetails'],
    ...['prompt_tokens_details.text_tokens'],
  ]),
};

/** Usage of one call: the upstream's count, or an estimate from the size of its texts. `usage`: its whole object. */
export function embeddingUsage(reported: unknown, usage: unknown, call: EmbeddingsCall): Usage {
  return withUnpriced(countedUsage(reported, call), unpricedIn(usage, KNOWN));
}

function countedUsage(reported: unknown, { request }: EmbeddingsCall): Usage {
  const tokens = readCount(reported);
  if (tokens !== undefined && tokens > 0) return usageOfTokens(tokens, false);
  const size = request.texts.reduce((sum, text) => sum + textSize(text), 0);
  return usageOfTokens(estimateTokens(size), true);
}
