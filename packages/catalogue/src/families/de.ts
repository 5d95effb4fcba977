import type { CatalogueModel, FormImageEdits } from '../catalogue-model.js';
import { IMAGE_2_EDITS } from './gp-image.js';

const traits = {
  sizes: ['256x256', '512x512', '1024x1024'],
  promptCharacters: 1_000,
  images: { most: 1, bytes: 4 * 1024 * 1024 },
  supportsMask: true,
  supportsFidelity: false,
} as const;

/** The successor has neither the small sizes nor URLs. Low quality costs about as much as the retired model did. */
const underSuccessor: FormImageEdits = {
  protocol: 'openai-image-edits',
  traits: { ...traits, billing: IMAGE_2_EDITS.traits.billing, standsIn: { size: '1024x1024', quality: 'low' } },
};

/** The legacy family. Prices: the last public ones, openai.com/api/pricing of 2024. */
export const DE = [
  {
    id: 'de-2',
    family: 'de',
    vendor: 'openai',
    upstreamModel: 'dall-e-2',
    aliases: ['dall-e-2'],
    ownedBy: 'openai',
    released: '2022-11-03',
    retirement: {
      on: '2026-05-12',
      successor: 'gp-image-2',
      keeps: { imageEdits: underSuccessor },
      source: 'npm openai 7.55.0, comments of images.ts, read 2026-11-10',
    },
    endpoints: ['images.edits'],
    limits: {},
    prices: [{ from: '2022-11-03', perMillion: { image_256: '16000', image_512: '18000', image_1024: '20000' } }],
    imageEdits: {
      protocol: 'openai-image-edits',
      traits: {
        ...traits,
        billing: {
          by: 'images',
          unitOfSize: { '256x256': 'image_256', '512x512': 'image_512', '1024x1024': 'image_1024' },
          defaultSize: '1024x1024',
        },
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
