/** Upstream protocols of rerank; each has a folder in `packages/upstreams`. */
export const RERANK_PROTOCOL_IDS = ['voyage-rerank'] as const;
export type RerankProtocolId = (typeof RERANK_PROTOCOL_IDS)[number];

/** A model's traits for the rerank protocols. */
export interface RerankModelTraits {
  /** Documents of one request. */
  readonly documents: number;
}
