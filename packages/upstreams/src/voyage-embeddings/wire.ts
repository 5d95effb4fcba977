/** Body of POST /v1/embeddings: docs.voyageai.com/reference/embeddings-api. `embedding-list/` reads the responses. */
export interface VoyageEmbeddingsBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly output_dimension: number;
  /** Omitted for floats: the vendor has no value for them. */
  readonly encoding_format?: 'base64';
  readonly [vendorField: string]: unknown;
}

/** Vendor fields that pass through: purpose of the texts, and truncation of long ones. */
export const VENDOR_FIELDS = ['input_type', 'truncation'] as const;
