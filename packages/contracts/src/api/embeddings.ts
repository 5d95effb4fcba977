import { z } from 'zod';

/* POST /v1/embeddings. Objects are open: each protocol forwards the fields that its vendor has. */

/** The most texts that client libraries of this protocol send in one request. */
export const MAX_EMBEDDING_INPUTS = 2_048;

const textExpecting = (error: string) => z.string({ error }).min(1, 'expected text, got an empty string');

const ONE_OR_MANY = 'expected text or an array of texts';

const texts = z
  .array(textExpecting('expected text'), { error: ONE_OR_MANY })
  .min(1, 'expected at least one text')
  .max(MAX_EMBEDDING_INPUTS, `expected at most ${MAX_EMBEDDING_INPUTS} texts in one request`);

export const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([textExpecting(ONE_OR_MANY), texts]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  /** Accepted values depend on the model. */
  dimensions: z.int().min(1).nullish(),
  /** Voyage's name of the same, for its models. */
  output_dimension: z.int().min(1).nullish(),
  user: z.string().nullish(),
});

export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>;
export type EmbeddingEncoding = 'float' | 'base64';

/** The response. A vector is a list of numbers, or base64 of little-endian 32-bit floats. */
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
