import type { CatalogueModel, DatedPrice, FormImageEdits, ImageCapability, Retirement } from '../catalogue-model.js';

const FIXED_SIZES = ['auto', '1024x1024', '1536x1024', '1024x1536'];

/** Tokens of a reference image by the documented table: 65, plus 129 for each of at most two tiles. */
const REFERENCE_TOKENS = 323;
const MAX_FILE_BYTES = 50 * 1024 * 1024;

const imageEdits = (
  supportsFidelity: boolean,
  imageTokens: ImageCapability<'openai-images'>['traits']['imageTokens'],
): FormImageEdits => ({
  protocol: 'openai-image-edits',
  traits: {
    sizes: ['1024x1024', '1024x1536', '1536x1024'],
    promptCharacters: 32_000,
    images: { most: 16, bytes: MAX_FILE_BYTES },
    supportsMask: true,
    supportsFidelity,
    billing: { by: 'tokens', imageTokens, referenceTokens: REFERENCE_TOKENS },
  },
});

/** GP image models. Prices: openai.com/api/pricing; tokens of an image: platform.openai.com/docs/guides/image-generation. */
const createModel = (
  name: string,
  released: string,
  usd: { readonly imageIn: string; readonly imageOut: string },
  supportsCustomSizes: boolean,
  imageTokens: ImageCapability<'openai-images'>['traits']['imageTokens'],
  retirement?: Retirement,
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id: `gp-image-${name}`,
    family: 'gp',
    vendor: 'openai',
    upstreamModel: `gpt-image-${name}`,
    aliases: [`gpt-image-${name}`],
    ownedBy: 'openai',
    released,
    endpoints: ['images.generations', 'images.edits'],
    limits: {},
    prices: [
      {
        from: released,
        perMillion: {
          input_token: '5',
          input_image_token: usd.imageIn,
          output_token: '10',
          output_image_token: usd.imageOut,
        },
      },
      ...laterPrices,
    ],
    ...(retirement !== undefined && { retirement }),
    imageGeneration: {
      protocol: 'openai-images',
      traits: { supportsCustomSizes, sizes: FIXED_SIZES, imageTokens },
    },
    imageEdits: imageEdits(!supportsCustomSizes, imageTokens),
  }) as const satisfies CatalogueModel;

const IMAGE_2_TOKENS = { low: 200, medium: 1_767, high: 7_034 };

/** Edits of the current model, for ids that it serves. */
export const IMAGE_2_EDITS = imageEdits(false, IMAGE_2_TOKENS);

const retires = (on: string): Retirement => ({
  on,
  successor: 'gp-image-2',
  source: 'developers.openai.com/api/docs/deprecations, read 2026-10-28',
});

export const GP_IMAGE = [
  createModel('2', '2026-04-21', { imageIn: '8', imageOut: '30' }, true, IMAGE_2_TOKENS),
  createModel(
    '1.5',
    '2025-12-16',
    { imageIn: '8', imageOut: '32' },
    false,
    { low: 282, medium: 1_250, high: 6_250 },
    retires('2026-12-01'),
  ),
  createModel(
    '1',
    '2025-04-23',
    { imageIn: '10', imageOut: '40' },
    false,
    { low: 272, medium: 1_056, high: 4_160 },
    retires('2026-10-23'),
  ),
] as const satisfies readonly CatalogueModel[];
