import { MAX_GROK_REFERENCES, type UnitPrices } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice, ImageCapability } from '../catalogue-model.js';
import { ownImageEdits } from './own-image-edits.js';

/** Grok-type image models. Prices per image: docs.x.ai/docs/models. */
const createModel = (
  name: string,
  aliases: readonly string[],
  released: string,
  perMillion: UnitPrices,
  traits: ImageCapability<'xai-images'>['traits'],
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id: `grok-${name}`,
    family: 'grok',
    vendor: 'xai',
    upstreamModel: `grok-${name}`,
    aliases,
    ownedBy: 'xai',
    released,
    endpoints: ['images.generations', 'images.edits'],
    limits: {},
    prices: [{ from: released, perMillion }, ...laterPrices],
    imageGeneration: { protocol: 'xai-images', traits },
    imageEdits: ownImageEdits(MAX_GROK_REFERENCES),
  }) as const satisfies CatalogueModel;

const FLAT = { resolutions: ['1k', '2k'], qualities: null, chargesReferences: false };

export const GROK_IMAGE = [
  // An input image costs $0.002: runware.ai/docs/models/xai-grok-imagine-image, read 2026-11-22.
  createModel(
    'imagine-image',
    [],
    '2026-01-28',
    { image: '20000', input_image: '2000' },
    { ...FLAT, chargesReferences: true },
  ),
  // An input image costs $0.01: github.com/Comfy-Org/docs/pull/970, read 2026-11-22.
  createModel(
    'imagine-image-quality',
    ['grok-imagine-image-pro'],
    '2026-01-28',
    { image: '50000', input_image: '10000' },
    { ...FLAT, chargesReferences: true },
  ),
  createModel(
    'imagine-image-2.0',
    [],
    '2026-08-01',
    {
      image_1k_low: '40000',
      image_1k_medium: '60000',
      image_1_5k_low: '50000',
      image_1_5k_medium: '70000',
      image_2k_low: '60000',
      image_2k_medium: '80000',
      input_image: '10000',
    },
    { resolutions: ['1k', '1.5k', '2k'], qualities: ['low', 'medium'], chargesReferences: true },
  ),
] as const satisfies readonly CatalogueModel[];
