import { z } from 'zod';

/* POST /v1/rerank: the shape that Cohere, Jina and Voyage share. Objects are open: the table of fields refuses what is unknown. */

export const MAX_RERANK_DOCUMENTS = 1_000;

const text = z.string({ error: 'expected text' }).min(1, 'expected text, got an empty string');
const document = z.union([text, z.looseObject({ text })], { error: "expected text or an object with 'text'" });

export const rerankRequest = z.looseObject({
  model: z.string().min(1),
  query: text,
  documents: z
    .array(document, { error: 'expected an array of texts' })
    .min(1, 'expected at least one document')
    .max(MAX_RERANK_DOCUMENTS, `expected at most ${MAX_RERANK_DOCUMENTS} documents`),
  /** Cohere's and Jina's name. */
  top_n: z.int().min(1).nullish(),
  /** Voyage's name of the same. */
  top_k: z.int().min(1).nullish(),
  return_documents: z.boolean().nullish(),
  /** True, the default: texts beyond the context are cut. */
  truncation: z.boolean().nullish(),
});

export type RerankRequest = z.infer<typeof rerankRequest>;

/** The texts of the documents, in order. */
export const textsOfDocuments = ({ documents }: Pick<RerankRequest, 'documents'>): readonly string[] =>
  documents.map((entry) => (typeof entry === 'string' ? entry : entry.text));

/** The response: the most relevant document first. */
export interface RerankList {
  readonly id: string;
  readonly object: 'list';
  readonly model: string;
  readonly results: readonly {
    readonly index: number;
    /** Higher is more relevant. */
    readonly relevance_score: number;
    readonly document?: { readonly text: string };
  }[];
  /** The same rows where Voyage's clients read them: a document is its text alone. */
  readonly data: readonly {
    readonly index: number;
    readonly relevance_score: number;
    readonly document?: string;
  }[];
  /** Together's clients require all of these. */
  readonly usage: { readonly total_tokens: number; readonly prompt_tokens: number; readonly completion_tokens: 0 };
  /** Where Cohere's clients read the count. */
  readonly meta: { readonly tokens: { readonly input_tokens: number } };
}
