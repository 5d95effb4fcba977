import type { EmbeddingModelTraits } from '@gateway/contracts';

/** Overestimates tokens, so that no batch exceeds the upstream's limit: almost no text has fewer bytes per token. */
const MIN_BYTES_PER_TOKEN = 2;

const maxTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / MIN_BYTES_PER_TOKEN);

/** Splits texts, in order, into batches of one upstream call each. A text above the token limit is a batch by itself. */
export function splitTexts(
  texts: readonly string[],
  limit: EmbeddingModelTraits['batch'],
): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let batchTokens = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const tokens = maxTokens(text);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= limit.texts || batchTokens + tokens > limit.tokens) {
      batches.push([text]);
      batchTokens = tokens;
    } else {
      batch.push(text);
      batchTokens += tokens;
    }
  }
  return batches;
}
