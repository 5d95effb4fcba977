import type { UnitPrices, VideoBodyFormat, VideoModelTraits } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/*
 * Wan video models over DashScope. Prices of a second in Singapore: alibabacloud.com/help/en/model-studio/model-pricing.
 * Failed tasks are free. Bounds: the vendor's page of each model, and the interface where it allows less.
 */

interface Wan {
  readonly name: string;
  readonly released: string;
  readonly form: VideoBodyFormat;
  readonly mode: VideoModelTraits['mode'];
  readonly perMillion: UnitPrices;
  readonly resolutions: VideoModelTraits['resolutions'];
  readonly durations: VideoModelTraits['durations'];
  readonly aspectRatios?: VideoModelTraits['aspectRatios'];
  readonly cheaperWhen?: VideoModelTraits['discountTiers'];
}

const FIVE_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];

/** The vendor gives a task up after three hours. */
const DEADLINE_SECONDS = 4 * 3_600;

const model = (wan: Wan) =>
  ({
    id: `wn${wan.name}`,
    family: 'wn',
    vendor: 'dashscope',
    upstreamModel: `wan${wan.name}`,
    aliases: [`wan${wan.name}`],
    ownedBy: 'alibaba',
    released: wan.released,
    endpoints: ['videos.generations'],
    limits: {},
    prices: [{ from: wan.released, perMillion: wan.perMillion }],
    video: {
      protocol: 'dashscope-video',
      traits: {
        bodyFormat: wan.form,
        mode: wan.mode,
        resolutions: wan.resolutions,
        aspectRatios: wan.aspectRatios ?? FIVE_RATIOS,
        durations: wan.durations,
        discountTiers: wan.cheaperWhen ?? [],
        deadlineSeconds: DEADLINE_SECONDS,
        firstPollSeconds: 5,
      },
    },
  }) as const satisfies CatalogueModel;

const OF_2_5: UnitPrices = { second_480p: '50000', second_720p: '100000', second_1080p: '150000' };
const OF_2_6: UnitPrices = { second_720p: '100000', second_1080p: '150000' };
const OF_2_6_FLASH: UnitPrices = {
  second_720p: '50000',
  second_1080p: '75000',
  second_720p_silent: '25000',
  second_1080p_silent: '37500',
};
const OF_2_7: UnitPrices = { second_720p: '100000' };
/** The dated releases of 2.7 are those that take 1080p as well. */
const OF_2_7_DATED: UnitPrices = { second_720p: '100000', second_1080p: '150000' };

const preview = (name: string, mode: Wan['mode'], released: string) =>
  model({
    name,
    released,
    form: 'wan-2.6',
    mode,
    perMillion: OF_2_5,
    resolutions: ['480p', '720p', '1080p'],
    durations: [5, 10],
  });

const of26 = (name: string, mode: Wan['mode'], released: string, more: Partial<Wan> = {}) =>
  model({
    name,
    released,
    form: 'wan-2.6',
    mode,
    perMillion: OF_2_6,
    resolutions: ['720p', '1080p'],
    durations: { least: 2, most: mode === 'r2v' ? 10 : 15 },
    ...more,
  });

const FLASH: Partial<Wan> = { perMillion: OF_2_6_FLASH, cheaperWhen: ['silent'] };

const of27 = (name: string, mode: Wan['mode'], released: string, more: Partial<Wan> = {}) =>
  model({
    name,
    released,
    form: 'wan-2.7',
    mode,
    perMillion: OF_2_7,
    resolutions: ['720p'],
    durations: { least: 2, most: 15 },
    ...more,
  });

const DATED: Partial<Wan> = { perMillion: OF_2_7_DATED, resolutions: ['720p', '1080p'] };

const of30 = (name: string, perMillion: UnitPrices) =>
  model({
    name,
    released: '2026-08-24',
    form: 'wan-3.0',
    mode: 'any',
    perMillion,
    resolutions: ['480p', '720p', '1080p'],
    aspectRatios: ['adaptive', ...FIVE_RATIOS, '21:9'],
    durations: { least: 2, most: 30 },
  });

export const WN = [
  of26('2.6-t2v', 't2v', '2025-12-16'),
  of27('2.7-t2v', 't2v', '2026-04-03'),
  of27('2.7-t2v-2026-04-25', 't2v', '2026-04-25', DATED),
  preview('2.5-t2v-preview', 't2v', '2025-09-24'),
  of26('2.6-i2v', 'i2v', '2025-12-16'),
  of26('2.6-i2v-flash', 'i2v', '2026-01-16', FLASH),
  of27('2.7-i2v', 'i2v', '2026-04-03'),
  of27('2.7-i2v-2026-04-25', 'i2v', '2026-04-25', DATED),
  preview('2.5-i2v-preview', 'i2v', '2025-09-24'),
  of26('2.6-r2v', 'r2v', '2025-12-16'),
  of26('2.6-r2v-flash', 'r2v', '2026-01-16', FLASH),
  of27('2.7-r2v', 'r2v', '2026-04-03'),
  of30('3.0-video', { second_480p: '50000', second_720p: '100000', second_1080p: '200000' }),
  of30('3.0-video-prime', { second_480p: '68000', second_720p: '140000', second_1080p: '280000' }),
] as const satisfies readonly CatalogueModel[];
