import { z } from 'zod';

/** POST /v1beta/models/{model}:batchEmbedContents of ai.google.dev/api/embeddings: one request for each text. */
export interface BatchEmbedBody {
  readonly requests: readonly {
    readonly model: string;
    readonly content: { readonly parts: readonly [{ readonly text: string }] };
    readonly outputDimensionality: number;
  }[];
}

/** In the order of the requests; `values` is the place of the vector that was cut out. Older models report no usage. */
export const batchEmbedReply = z.object({
  embeddings: z.array(z.object({ values: z.int().min(0) })),
  usageMetadata: z.object({ promptTokenCount: z.unknown() }).partial().nullish(),
});
