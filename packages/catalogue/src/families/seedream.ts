import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';
import { ownImageEdits } from './own-image-edits.js';

const MAX_REFERENCES = 14;

/** Seedream models over ModelArk. Prices per image: docs.byteplus.com/en/docs/Byteplus_LAS/Large_model_billing. */
const createModel = (
  version: string,
  upstreamModel: string,
  released: string,
  usdPerMillionImages: string,
  sizes: readonly string[],
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id: `seedream-${version}`,
    family: 'seedream',
    vendor: 'ark',
    upstreamModel,
    aliases: [upstreamModel, `doubao-${upstreamModel}`],
    ownedBy: 'bytedance',
    released,
    endpoints: ['images.generations', 'images.edits'],
    limits: {},
    prices: [{ from: released, perMillion: { image: usdPerMillionImages } }, ...laterPrices],
    imageGeneration: { protocol: 'ark-images', traits: { sizes, maxImages: MAX_REFERENCES } },
    imageEdits: ownImageEdits(MAX_REFERENCES),
  }) as const satisfies CatalogueModel;

export const SEEDREAM = [
  createModel('4.0', 'seedream-4-0-250828', '2025-09-09', '30000', ['1K', '2K', '4K']),
  createModel('4.5', 'seedream-4-5-251128', '2025-12-03', '40000', ['2K', '4K']),
  createModel('5.0-lite', 'seedream-5-0-260128', '2026-02-13', '35000', ['2K', '3K', '4K']),
] as const satisfies readonly CatalogueModel[];
