/** Hundredths of a US dollar. */
type Cents = number;

/** A picture model, with its own price list. */
export interface ImageModel {
  readonly id: string;
  readonly resolutions: readonly string[];
  readonly hasQuality: boolean;
  readonly centsOfOutputImage: (resolution: string, quality: string) => Cents;
  readonly centsOfReference: Cents;
}

const TIERS: Readonly<Record<string, readonly [low: Cents, medium: Cents]>> = {
  '1k': [4, 6],
  '1.5k': [5, 7],
  '2k': [6, 8],
};

const MODELS: readonly ImageModel[] = [
  {
    id: 'grok-imagine-image',
    resolutions: ['1k', '2k'],
    hasQuality: false,
    centsOfOutputImage: () => 2,
    centsOfReference: 0,
  },
  {
    id: 'grok-imagine-image-quality',
    resolutions: ['1k', '2k'],
    hasQuality: false,
    centsOfOutputImage: () => 5,
    centsOfReference: 0,
  },
  {
    id: 'grok-imagine-image-2.0',
    resolutions: ['1k', '1.5k', '2k'],
    hasQuality: true,
    centsOfOutputImage: (resolution, quality) => TIERS[resolution]?.[quality === 'low' ? 0 : 1] ?? 0,
    centsOfReference: 1,
  },
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findImageModel = (name: string): ImageModel | undefined => BY_NAME.get(name);
