import type { EmbeddingModelTraits } from '@gateway/contracts';

/** Hardly any text has fewer bytes a token, so a batch that is full by this count is within the upstream's own. */
const BYTES_PER_TOKEN_AT_LEAST = 2;

const tokensAtMost = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN_AT_LEAST);

/** The texts in batches that one upstream call takes, in order. A text that is too long for any batch is one by itself. */
export function splitTexts(
  texts: readonly string[],
  batch: EmbeddingModelTraits['batch'],
): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let tokens = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const more = tokensAtMost(text);
    const current = batches.at(-1);
    if (current === undefined || current.length >= batch.texts || tokens + more > batch.tokens) {
      batches.push([text]);
      tokens = more;
    } else {
      current.push(text);
      tokens += more;
    }
  }
  return batches;
}
