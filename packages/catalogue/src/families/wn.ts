import type { UnitPrices, VideoBodyFormat, VideoModelTraits } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice, InputSeconds } from '../catalogue-model.js';

/*
 * Wan video models over DashScope. Prices per second in Singapore: alibabacloud.com/help/en/model-studio/model-pricing.
 * Failed tasks are free. Limits: the vendor's page of each model, or the interface's where they are lower.
 */

interface WanModel {
  readonly name: string;
  readonly released: string;
  readonly bodyFormat: VideoBodyFormat;
  readonly mode: VideoModelTraits['mode'];
  /** Since the release. */
  readonly perMillion: UnitPrices;
  readonly laterPrices?: readonly DatedPrice[];
  readonly resolutions: VideoModelTraits['resolutions'];
  readonly durations: VideoModelTraits['durations'];
  readonly aspectRatios?: VideoModelTraits['aspectRatios'];
  readonly discountTiers?: VideoModelTraits['discountTiers'];
  readonly inputSeconds?: InputSeconds;
}

const FIVE_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];

/** One hour more than the vendor's own limit. */
const DEADLINE_SECONDS = 4 * 3_600;

const createModel = (wan: WanModel) =>
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
    prices: [{ from: wan.released, perMillion: wan.perMillion }, ...(wan.laterPrices ?? [])],
    video: {
      protocol: 'dashscope-video',
      traits: {
        bodyFormat: wan.bodyFormat,
        mode: wan.mode,
        resolutions: wan.resolutions,
        aspectRatios: wan.aspectRatios ?? FIVE_RATIOS,
        durations: wan.durations,
        discountTiers: wan.discountTiers ?? [],
        deadlineSeconds: DEADLINE_SECONDS,
        firstPollSeconds: 5,
      },
      ...(wan.inputSeconds !== undefined && { inputSeconds: wan.inputSeconds }),
    },
  }) as const satisfies CatalogueModel;

const PRICES_2_5: UnitPrices = { second_480p: '50000', second_720p: '100000', second_1080p: '150000' };
const PRICES_2_6: UnitPrices = { second_720p: '100000', second_1080p: '150000' };
const PRICES_2_6_FLASH: UnitPrices = {
  second_720p: '50000',
  second_1080p: '75000',
  second_720p_silent: '25000',
  second_1080p_silent: '37500',
};
const PRICES_2_7: UnitPrices = { second_720p: '100000' };
/** Only the dated releases of 2.7 support 1080p. */
const PRICES_2_7_DATED: UnitPrices = { second_720p: '100000', second_1080p: '150000' };

const wan25Preview = (name: string, mode: WanModel['mode'], released: string) =>
  createModel({
    name,
    released,
    bodyFormat: 'wan-2.6',
    mode,
    perMillion: PRICES_2_5,
    resolutions: ['480p', '720p', '1080p'],
    durations: [5, 10],
  });

const wan26 = (name: string, mode: WanModel['mode'], released: string, overrides: Partial<WanModel> = {}) =>
  createModel({
    name,
    released,
    bodyFormat: 'wan-2.6',
    mode,
    perMillion: PRICES_2_6,
    resolutions: ['720p', '1080p'],
    durations: { least: 2, most: mode === 'r2v' ? 10 : 15 },
    ...overrides,
  });

const FLASH: Partial<WanModel> = { perMillion: PRICES_2_6_FLASH, discountTiers: ['silent'] };

const wan27 = (name: string, mode: WanModel['mode'], released: string, overrides: Partial<WanModel> = {}) =>
  createModel({
    name,
    released,
    bodyFormat: 'wan-2.7',
    mode,
    perMillion: PRICES_2_7,
    resolutions: ['720p'],
    durations: { least: 2, most: 15 },
    ...overrides,
  });

const DATED: Partial<WanModel> = { perMillion: PRICES_2_7_DATED, resolutions: ['720p', '1080p'] };

/** The vendor bills a second of input like a generated one. 2.6 does not report its input seconds, so they have no price. */
const inputPricesFrom = (from: string, perMillion: UnitPrices): readonly DatedPrice[] => [
  {
    from,
    perMillion: Object.fromEntries(Object.entries(perMillion).map(([unit, usd]) => [`input_${unit}`, usd])),
  },
];

/** Five references of at most 30 seconds each. */
const INPUT_2_7: InputSeconds = { prices: inputPricesFrom('2026-11-01', PRICES_2_7), mostOfOne: 30, most: 150 };

const wan30 = (name: string, perMillion: UnitPrices) =>
  createModel({
    inputSeconds: {
      prices: inputPricesFrom('2026-11-01', perMillion),
      mostOfOne: 15,
      most: 15,
      mostWithOutput: 30,
    },
    name,
    released: '2026-08-24',
    bodyFormat: 'wan-3.0',
    mode: 'any',
    perMillion,
    resolutions: ['480p', '720p', '1080p'],
    aspectRatios: ['adaptive', ...FIVE_RATIOS, '21:9'],
    durations: { least: 2, most: 30 },
  });

export const WN = [
  wan26('2.6-t2v', 't2v', '2025-12-16'),
  wan27('2.7-t2v', 't2v', '2026-04-03'),
  wan27('2.7-t2v-2026-04-25', 't2v', '2026-04-25', DATED),
  wan25Preview('2.5-t2v-preview', 't2v', '2025-09-24'),
  wan26('2.6-i2v', 'i2v', '2025-12-16'),
  wan26('2.6-i2v-flash', 'i2v', '2026-01-16', FLASH),
  wan27('2.7-i2v', 'i2v', '2026-04-03'),
  wan27('2.7-i2v-2026-04-25', 'i2v', '2026-04-25', DATED),
  wan25Preview('2.5-i2v-preview', 'i2v', '2025-09-24'),
  wan26('2.6-r2v', 'r2v', '2025-12-16'),
  wan26('2.6-r2v-flash', 'r2v', '2026-01-16', FLASH),
  wan27('2.7-r2v', 'r2v', '2026-04-03', { inputSeconds: INPUT_2_7 }),
  wan30('3.0-video', { second_480p: '50000', second_720p: '100000', second_1080p: '200000' }),
  wan30('3.0-video-prime', { second_480p: '68000', second_720p: '140000', second_1080p: '280000' }),
] as const satisfies readonly CatalogueModel[];
