/** The wires that embeddings are spoken on. */
export const EMBEDDING_PROTOCOL_IDS = ['dashscope-embeddings', 'gemini-embeddings', 'voyage-embeddings'] as const;
export type EmbeddingProtocolId = (typeof EMBEDDING_PROTOCOL_IDS)[number];

/** What must be known of a model to ask it for vectors. */
export interface EmbeddingModelTraits {
  /** Lengths of vector that a request may ask for: these, or every whole number of a range. */
  readonly dimensions: readonly number[] | { readonly least: number; readonly most: number };
  readonly defaultDimensions: number;
  /** The only length at which the upstream's vectors are of unit length; null if they all are. */
  readonly unitLengthOnlyAt: number | null;
  /** What one upstream call takes at most, of all its texts together. */
  readonly batch: { readonly texts: number; readonly tokens: number };
}
