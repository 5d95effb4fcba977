import { estimateTokens, type Usage } from '@gateway/contracts';
import { readCount } from '../metering/token-counts.js';
import type { EmbeddingsCall } from '../protocol.js';

export const usageOfTokens = (tokens: number, isEstimated: boolean): Usage => ({
  units: { input_token: tokens },
  inputTokensTotal: tokens,
  isEstimated,
});

/** Usage of one call: the upstream's count, or an estimate from the UTF-8 bytes of its texts. */
export function embeddingUsage(reported: unknown, { request }: EmbeddingsCall): Usage {
  const tokens = readCount(reported);
  if (tokens !== undefined && tokens > 0) return usageOfTokens(tokens, false);
  let utf8Bytes = 0;
  for (const text of request.texts) utf8Bytes += Buffer.byteLength(text);
  return usageOfTokens(estimateTokens(utf8Bytes), true);
}
