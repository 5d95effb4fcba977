import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';
import { ownImageEdits } from './own-image-edits.js';

/** Image models over DashScope's synchronous path. Prices per image in Singapore: alibabacloud.com/help/en/model-studio/model-pricing. */
const createModel = (
  name: string,
  released: string,
  usdPerMillionImages: string,
  traits: { readonly images: { readonly least: number; readonly most: number }; readonly supportsSize: boolean },
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id: `qn-${name}`,
    family: 'qn',
    vendor: 'dashscope',
    upstreamModel: `qwen-${name}`,
    aliases: [`qwen-${name}`],
    ownedBy: 'alibaba',
    released,
    endpoints: traits.images.most === 0 ? ['images.generations'] : ['images.generations', 'images.edits'],
    limits: {},
    prices: [{ from: released, perMillion: { image: usdPerMillionImages } }, ...laterPrices],
    dialect: 'b',
    imageGeneration: { protocol: 'dashscope-image', traits },
    ...(traits.images.most > 0 && { imageEdits: ownImageEdits(traits.images.most) }),
  }) as const satisfies CatalogueModel;

const TEXT_TO_IMAGE = { images: { least: 0, most: 0 }, supportsSize: true };
const EITHER = { images: { least: 0, most: 3 }, supportsSize: true };
const EDITING = { images: { least: 1, most: 3 }, supportsSize: true };

export const QN_IMAGE = [
  createModel('image-2.0', '2026-03-03', '35000', EITHER),
  createModel('image-2.0-pro', '2026-03-03', '75000', EITHER),
  createModel('image-max', '2025-12-31', '75000', TEXT_TO_IMAGE),
  createModel('image-edit', '2025-08-19', '45000', { ...EDITING, supportsSize: false }),
  createModel('image-edit-plus', '2025-10-30', '30000', EDITING),
  createModel('image-edit-max', '2026-01-16', '75000', EDITING),
] as const satisfies readonly CatalogueModel[];
