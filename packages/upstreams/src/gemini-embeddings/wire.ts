import { z } from 'zod';

/** Body of POST /v1beta/models/{model}:batchEmbedContents, one request per text: ai.google.dev/api/embeddings. */
export interface BatchEmbedBody {
  readonly requests: readonly {
    readonly model: string;
    readonly content: { readonly parts: readonly [{ readonly text: string }] };
    readonly outputDimensionality: number;
    readonly taskType?: string;
    readonly title?: string;
  }[];
}

/** Vectors in request order. `values` is the index of an extracted vector. Older models report no usage. */
export const batchEmbedReply = z.object({
  embeddings: z.array(z.object({ values: z.int().min(0) })),
  usageMetadata: z.object({ promptTokenCount: z.unknown() }).partial().nullish(),
});
