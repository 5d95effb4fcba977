/** Upstream protocols of embeddings; each has a folder in `packages/upstreams`. */
export const EMBEDDING_PROTOCOL_IDS = ['dashscope-embeddings', 'gemini-embeddings', 'voyage-embeddings'] as const;
export type EmbeddingProtocolId = (typeof EMBEDDING_PROTOCOL_IDS)[number];

/** A model's traits for the embeddings protocols. */
export interface EmbeddingModelTraits {
  /** Accepted lengths of a vector: a list, or every integer of a range. */
  readonly dimensions: readonly number[] | { readonly least: number; readonly most: number };
  readonly defaultDimensions: number;
  /** The only length at which the upstream normalises vectors; null: it always does. */
  readonly unitLengthOnlyAt: number | null;
  /** Limits of one upstream call, for all its texts together. */
  readonly batch: { readonly texts: number; readonly tokens: number };
}
