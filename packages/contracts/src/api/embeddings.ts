import { z } from 'zod';

/*
 * POST /v1/embeddings. Objects are open: a vendor's own fields travel on to the vendor that has them.
 */

/** As many texts as client libraries of this protocol send at once. */
export const MAX_EMBEDDING_INPUTS = 2_048;

/** Some client libraries send the numbers of one vendor's tokens, which to another vendor are those of other words. */
const isTokens = (value: unknown): boolean => typeof value === 'number' || Array.isArray(value);

const text = z
  .string({ error: ({ input }) => (isTokens(input) ? 'expected text, not tokens' : 'expected text') })
  .min(1, 'expected text, it is empty');

const texts = z
  .array(text, { error: 'expected text or an array of texts' })
  .min(1, 'expected at least one text')
  .max(MAX_EMBEDDING_INPUTS, `expected at most ${MAX_EMBEDDING_INPUTS} texts in one request`);

export const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([text, texts]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  /** Which numbers are legal depends on the model. */
  dimensions: z.int().min(1).nullish(),
  user: z.string().nullish(),
});

export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>;
export type EmbeddingEncoding = 'float' | 'base64';

/** The answer. A vector is a list of numbers, or its little-endian 32-bit floats in base64. */
export interface EmbeddingList {
  readonly object: 'list';
  readonly data: readonly {
    readonly object: 'embedding';
    readonly index: number;
    readonly embedding: readonly number[] | string;
  }[];
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}
