import type { CatalogueModel } from '../catalogue-model.js';

/** The legacy family, retired by the vendor. Prices: the last public ones, openai.com/api/pricing of 2024. */
export const DE = [
  {
    id: 'de-2',
    family: 'de',
    vendor: 'openai',
    upstreamModel: 'dall-e-2',
    aliases: ['dall-e-2'],
    ownedBy: 'openai',
    released: '2022-11-03',
    endpoints: ['images.edits'],
    limits: {},
    prices: [{ from: '2022-11-03', perMillion: { image_256: '16000', image_512: '18000', image_1024: '20000' } }],
    imageEdits: {
      protocol: 'openai-image-edits',
      traits: {
        sizes: ['256x256', '512x512', '1024x1024'],
        promptCharacters: 1_000,
        images: { most: 1, bytes: 4 * 1024 * 1024 },
        supportsMask: true,
        supportsFidelity: false,
        billing: {
          by: 'images',
          unitOfSize: { '256x256': 'image_256', '512x512': 'image_512', '1024x1024': 'image_1024' },
          defaultSize: '1024x1024',
        },
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
