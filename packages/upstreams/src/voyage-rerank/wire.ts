import { z } from 'zod';

/* POST /v1/rerank: docs.voyageai.com/reference/reranker-api. */

export interface VoyageRerankBody {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly top_k?: number;
  readonly truncation?: boolean;
}

/** Fields read from a response. */
export const rerankReply = z.looseObject({
  data: z.array(z.looseObject({ index: z.int().min(0), relevance_score: z.number() })),
  usage: z.unknown().optional(),
});
