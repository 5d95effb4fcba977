/** POST /v1/embeddings of docs.voyageai.com/reference/embeddings-api. Answers: `embedding-list`. */
export interface VoyageEmbeddingsBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly output_dimension: number;
  /** Left out for numbers: the vendor has no word for them. */
  readonly encoding_format?: 'base64';
  readonly [vendorField: string]: unknown;
}

/** Fields that a client may send for this vendor: what the texts are for, and whether long ones are cut. */
export const VENDOR_FIELDS = ['input_type', 'truncation'] as const;
