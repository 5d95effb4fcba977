import { findById } from '../vendor-ids.js';

export interface GeminiEmbeddingModel {
  readonly id: string;
  readonly maxDimensions: number;
  /** Only newer models report their count. */
  readonly reportsUsage: boolean;
}

/** The vendor has shut down `text-embedding-004`. */
export const EMBEDDING_MODELS: readonly GeminiEmbeddingModel[] = [
  { id: 'gemini-embedding-001', maxDimensions: 3_072, reportsUsage: false },
  { id: 'gemini-embedding-2-preview', maxDimensions: 3_072, reportsUsage: true },
  { id: 'gemini-embedding-2', maxDimensions: 3_072, reportsUsage: true },
];

export const findEmbeddingModel = findById(EMBEDDING_MODELS);

/** An image model of the Interactions interface. */
export interface InteractionModel {
  readonly id: string;
  /** Output tokens by image size. */
  readonly tokensOfSize: Readonly<Record<string, number>>;
  readonly ratios: readonly string[];
  readonly hasLevels: boolean;
  /** Text that comes with the image. */
  readonly remark: string;
}

const RATIOS = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9'.split(' ');

export const INTERACTION_MODELS: readonly InteractionModel[] = [
  {
    id: 'gemini-3.1-flash-image',
    tokensOfSize: { '512': 747, '1K': 1_120, '2K': 1_680, '4K': 2_520 },
    ratios: [...RATIOS, '1:8', '8:1', '1:4', '4:1'],
    hasLevels: true,
    remark: '',
  },
  {
    id: 'gemini-3-pro-image',
    tokensOfSize: { '1K': 1_120, '2K': 1_120, '4K': 2_000 },
    ratios: RATIOS,
    hasLevels: true,
    remark: 'Here is the image that you asked for.',
  },
  { id: 'gemini-2.5-flash-image', tokensOfSize: { '1K': 1_290 }, ratios: RATIOS, hasLevels: false, remark: '' },
];

export const findInteractionModel = findById(INTERACTION_MODELS);
