import type { UnitPrices, VideoModelTraits } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';

/** Grok-type video models. Prices per second: docs.x.ai/docs/models. */
const createModel = (
  name: string,
  aliases: readonly string[],
  released: string,
  perMillion: UnitPrices,
  resolutions: VideoModelTraits['resolutions'],
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
    endpoints: ['videos.generations'],
    limits: {},
    prices: [{ from: released, perMillion }, ...laterPrices],
    video: {
      protocol: 'xai-video',
      traits: {
        bodyFormat: 'grok',
        mode: 'any',
        resolutions,
        aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'],
        durations: { least: 1, most: 15 },
        discountTiers: [],
        deadlineSeconds: 4 * 3_600,
        firstPollSeconds: 5,
      },
    },
  }) as const satisfies CatalogueModel;

export const GROK_VIDEO = [
  createModel('imagine-video', [], '2026-01-28', { second_480p: '50000', second_720p: '70000' }, ['480p', '720p']),
  createModel(
    'imagine-video-1.5',
    ['grok-imagine-video-1.5-preview'],
    '2026-05-18',
    { second_480p: '80000', second_720p: '140000', second_1080p: '250000' },
    ['480p', '720p', '1080p'],
  ),
] as const satisfies readonly CatalogueModel[];
