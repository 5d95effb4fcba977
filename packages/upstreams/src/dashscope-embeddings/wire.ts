/**
 * Body of POST /compatible-mode/v1/embeddings: alibabacloud.com/help/en/model-studio/embedding.
 * `embedding-list/` reads the responses.
 */
export interface DashScopeEmbeddingsBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions: number;
  /** The only documented value. */
  readonly encoding_format: 'float';
}
