/** POST /compatible-mode/v1/embeddings of alibabacloud.com/help/en/model-studio/embedding. Answers: `embedding-list`. */
export interface DashScopeEmbeddingsBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions: number;
  /** The only one that the vendor documents. */
  readonly encoding_format: 'float';
}
