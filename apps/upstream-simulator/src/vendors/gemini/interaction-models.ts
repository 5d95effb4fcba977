/** A picture model of the Interactions interface. */
export interface InteractionModel {
  readonly id: string;
  /** Output tokens of a picture of each size that the model has. */
  readonly tokensOfSize: Readonly<Record<string, number>>;
  readonly ratios: readonly string[];
  readonly hasLevels: boolean;
  /** Some say a word beside the picture. */
  readonly remark: string;
}

const RATIOS = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9'.split(' ');

const MODELS: readonly InteractionModel[] = [
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
    remark: 'Here is the picture that you asked for.',
  },
  { id: 'gemini-2.5-flash-image', tokensOfSize: { '1K': 1_290 }, ratios: RATIOS, hasLevels: false, remark: '' },
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findInteractionModel = (name: string): InteractionModel | undefined => BY_NAME.get(name);
