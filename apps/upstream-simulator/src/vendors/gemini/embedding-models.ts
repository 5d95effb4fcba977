export interface GeminiEmbeddingModel {
  readonly id: string;
  readonly maxDimensions: number;
  /** Newer models say what they counted. */
  readonly reportsUsage: boolean;
}

/** `text-embedding-004` was shut down: the vendor does not know it any more. */
const MODELS: readonly GeminiEmbeddingModel[] = [
  { id: 'gemini-embedding-001', maxDimensions: 3_072, reportsUsage: false },
  { id: 'gemini-embedding-2-preview', maxDimensions: 3_072, reportsUsage: true },
  { id: 'gemini-embedding-2', maxDimensions: 3_072, reportsUsage: true },
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findEmbeddingModel = (name: string): GeminiEmbeddingModel | undefined => BY_NAME.get(name);
