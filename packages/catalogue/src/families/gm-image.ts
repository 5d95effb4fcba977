import type { InteractionAspectRatio, UnitPrices } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice, ImageCapability } from '../catalogue-model.js';
import { ownImageEdits } from './own-image-edits.js';

const BASE_RATIOS = ['1:1', '16:9', '9:16', '3:2', '2:3', '4:3', '3:4', '5:4', '4:5'] as const;
const ALL_RATIOS = [...BASE_RATIOS, '1:4', '4:1', '1:8', '8:1'] as const satisfies readonly InteractionAspectRatio[];

type Traits = ImageCapability<'gemini-interactions'>['traits'];

/** Image models over the Interactions interface. Prices: ai.google.dev/gemini-api/docs/pricing. */
const createModel = (
  id: string,
  upstreamModel: string,
  aliases: readonly string[],
  released: string,
  perMillion: UnitPrices,
  traits: Traits,
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id,
    family: 'gm',
    vendor: 'gemini',
    upstreamModel,
    aliases,
    ownedBy: 'google',
    released,
    endpoints: ['images.generations', 'images.edits', 'models.generate_content'],
    limits: {},
    prices: [{ from: released, perMillion }, ...laterPrices],
    dialect: 'brief',
    imageGeneration: { protocol: 'gemini-interactions', traits },
    imageEdits: ownImageEdits(traits.maxImages),
  }) as const satisfies CatalogueModel;

/** The vendor has no discount for cached input of image models. */
const prices = (input: string, text: string, image: string): UnitPrices => ({
  input_token: input,
  input_image_token: input,
  cached_input_token: input,
  output_token: text,
  output_image_token: image,
});

const PRICES_2_5 = prices('0.30', '2.50', '30');
const TRAITS_2_5: Traits = {
  imageTokens: { '1K': 1_290 },
  aspectRatios: BASE_RATIOS,
  supportsThinkingLevel: false,
  maxImages: 14,
  contextTokens: 65_536,
};

export const GM_IMAGE = [
  createModel(
    'gm-3.1-flash-image-preview',
    'gemini-3.1-flash-image',
    ['gemini-3.1-flash-image-preview', 'gemini-3.1-flash-image'],
    '2026-02-26',
    prices('0.50', '3', '60'),
    {
      imageTokens: { '512px': 747, '1K': 1_120, '2K': 1_680, '4K': 2_520 },
      aspectRatios: ALL_RATIOS,
      supportsThinkingLevel: true,
      maxImages: 14,
      contextTokens: 131_072,
    },
  ),
  createModel(
    'gm-3-pro-image-preview',
    'gemini-3-pro-image',
    ['gemini-3-pro-image-preview', 'gemini-3-pro-image'],
    '2025-11-20',
    prices('2', '12', '120'),
    {
      imageTokens: { '1K': 1_120, '2K': 1_120, '4K': 2_000 },
      aspectRatios: BASE_RATIOS,
      supportsThinkingLevel: true,
      maxImages: 14,
      contextTokens: 65_536,
    },
  ),
  createModel(
    'gm-2.5-flash-image',
    'gemini-2.5-flash-image',
    ['gemini-2.5-flash-image'],
    '2025-10-02',
    PRICES_2_5,
    TRAITS_2_5,
  ),
  createModel(
    'gm-2.5-flash-image-preview',
    'gemini-2.5-flash-image',
    ['gemini-2.5-flash-image-preview'],
    '2025-08-26',
    PRICES_2_5,
    TRAITS_2_5,
  ),
] as const satisfies readonly CatalogueModel[];
