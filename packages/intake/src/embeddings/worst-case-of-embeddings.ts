import type { EmbeddingsRequest, Usage } from '@gateway/contracts';

/** Marks that some upstreams count around each text. */
const TOKENS_PER_TEXT = 2;
/** Three bytes a token is more tokens than nearly any text really has; four is the average. */
const BYTES_PER_TOKEN = 3;

/** The most tokens that the texts can reasonably have. */
export function worstCaseOfEmbeddings({ input }: EmbeddingsRequest): Usage {
  const texts = typeof input === 'string' ? [input] : input;
  const tokens = texts.reduce(
    (sum, text) => sum + TOKENS_PER_TEXT + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN),
    0,
  );
  return { units: { input_token: tokens }, inputTokensTotal: tokens, isEstimated: true };
}
