import type { UnitPrices, VideoModelTraits } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';

/*
 * HappyHorse video models over DashScope. Prices per second in Singapore: alibabacloud.com/help/en/model-studio/model-pricing.
 * Reference models accept one to nine images.
 */

const createModel = (
  version: string,
  mode: VideoModelTraits['mode'],
  released: string,
  perMillion: UnitPrices,
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id: `happyhorse-${version}-${mode}`,
    family: 'happyhorse',
    vendor: 'dashscope',
    upstreamModel: `happyhorse-${version}-${mode}`,
    aliases: [],
    ownedBy: 'alibaba',
    released,
    endpoints: ['videos.generations'],
    limits: {},
    prices: [{ from: released, perMillion }, ...laterPrices],
    video: {
      protocol: 'dashscope-video',
      traits: {
        bodyFormat: 'happyhorse',
        mode,
        resolutions: ['720p', '1080p'],
        aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '4:5', '5:4', '9:21', '21:9'],
        durations: { least: 3, most: 15 },
        discountTiers: [],
        deadlineSeconds: 4 * 3_600,
        firstPollSeconds: 5,
      },
    },
  }) as const satisfies CatalogueModel;

const PRICES_1_0: UnitPrices = { second_720p: '140000', second_1080p: '240000' };
const PRICES_1_1: UnitPrices = { second_720p: '140000', second_1080p: '180000' };

export const HAPPYHORSE = [
  createModel('1.0', 't2v', '2026-04-26', PRICES_1_0),
  createModel('1.0', 'i2v', '2026-04-26', PRICES_1_0),
  createModel('1.0', 'r2v', '2026-04-26', PRICES_1_0),
  createModel('1.1', 't2v', '2026-07-15', PRICES_1_1),
  createModel('1.1', 'i2v', '2026-07-15', PRICES_1_1),
  createModel('1.1', 'r2v', '2026-07-15', PRICES_1_1),
] as const satisfies readonly CatalogueModel[];
