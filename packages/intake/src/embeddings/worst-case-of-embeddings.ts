import type { EmbeddingsRequest, Usage } from '@gateway/contracts';
import { maxTokensOf } from '../max-tokens.js';

/** Some upstreams count marks around each text. */
const TOKENS_PER_TEXT = 2;

/** The most tokens that the texts can reasonably have. */
export function worstCaseOfEmbeddings({ input }: EmbeddingsRequest): Usage {
  const texts = typeof input === 'string' ? [input] : input;
  const tokens = texts.reduce((sum, text) => sum + TOKENS_PER_TEXT + maxTokensOf(text), 0);
  return { units: { input_token: tokens }, inputTokensTotal: tokens, isEstimated: true };
}
