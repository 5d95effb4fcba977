import type { UnitPrices, VideoModelTraits } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';

/*
 * Seedance video models over ModelArk: docs.byteplus.com/en/docs/ModelArk/1099320. The vendor bills tokens:
 * a second has width × height × 24 frames / 1,024. We bill seconds, at the price of their tokens at 16:9.
 * Seconds of reference videos are not billed. Flex tasks cost half. A draft has 0.6 of the tokens, a silent draft 0.7.
 */

/** Tokens per second: 864×480, 1248×704, 1920×1088. */
const TOKENS_1_0 = { '480p': 9_720, '720p': 20_592, '1080p': 48_960 } as const;
/** Tokens per second: 864×496, 1280×720, 1920×1080, 3840×2160. */
const TOKENS = { '480p': 10_044, '720p': 21_600, '1080p': 48_600, '4k': 194_400 } as const;

/** USD per million seconds from USD per million tokens, rounded to 0.001 USD: the vendor's prices have no more digits. */
const perMillionSeconds = (tokens: number, usdPerMillionTokens: number, share = 1): string =>
  String(Math.round(tokens * usdPerMillionTokens * share * 1_000) / 1_000);

const createModel = (
  version: string,
  upstreamModel: string,
  released: string,
  perMillion: UnitPrices,
  traits: Pick<VideoModelTraits, 'resolutions' | 'durations'> & Partial<VideoModelTraits>,
  laterPrices: readonly DatedPrice[] = [],
) =>
  ({
    id: `seedance-${version}`,
    family: 'seedance',
    vendor: 'ark',
    upstreamModel,
    aliases: [upstreamModel, `doubao-${upstreamModel.replace(/^dreamina-/, '')}`],
    ownedBy: 'bytedance',
    released,
    endpoints: ['videos.generations'],
    limits: {},
    prices: [{ from: released, perMillion }, ...laterPrices],
    video: {
      protocol: 'ark-video',
      traits: {
        bodyFormat: 'seedance',
        mode: 'any',
        aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'],
        discountTiers: [],
        // One hour more than the longest time-out that a request can set: three days.
        deadlineSeconds: 73 * 3_600,
        firstPollSeconds: 5,
        ...traits,
      },
    },
  }) as const satisfies CatalogueModel;

const prices10 = (usdPerMillionTokens: number): UnitPrices => ({
  second_480p: perMillionSeconds(TOKENS_1_0['480p'], usdPerMillionTokens),
  second_720p: perMillionSeconds(TOKENS_1_0['720p'], usdPerMillionTokens),
  second_1080p: perMillionSeconds(TOKENS_1_0['1080p'], usdPerMillionTokens),
  second_480p_flex: perMillionSeconds(TOKENS_1_0['480p'], usdPerMillionTokens, 0.5),
  second_720p_flex: perMillionSeconds(TOKENS_1_0['720p'], usdPerMillionTokens, 0.5),
  second_1080p_flex: perMillionSeconds(TOKENS_1_0['1080p'], usdPerMillionTokens, 0.5),
});

const TRAITS_1_0: Parameters<typeof createModel>[4] = {
  resolutions: ['480p', '720p', '1080p'],
  durations: { least: 2, most: 12 },
  discountTiers: ['flex'],
};

/** Version 1.5: USD per million tokens, with and without audio. */
const USD_WITH_AUDIO = 2.4;
const USD_SILENT = 1.2;

const PRICES_1_5: UnitPrices = {
  second_480p: perMillionSeconds(TOKENS['480p'], USD_WITH_AUDIO),
  second_720p: perMillionSeconds(TOKENS['720p'], USD_WITH_AUDIO),
  second_1080p: perMillionSeconds(TOKENS['1080p'], USD_WITH_AUDIO),
  second_480p_silent: perMillionSeconds(TOKENS['480p'], USD_SILENT),
  second_720p_silent: perMillionSeconds(TOKENS['720p'], USD_SILENT),
  second_1080p_silent: perMillionSeconds(TOKENS['1080p'], USD_SILENT),
  second_480p_flex: perMillionSeconds(TOKENS['480p'], USD_WITH_AUDIO, 0.5),
  second_720p_flex: perMillionSeconds(TOKENS['720p'], USD_WITH_AUDIO, 0.5),
  second_1080p_flex: perMillionSeconds(TOKENS['1080p'], USD_WITH_AUDIO, 0.5),
  second_480p_silent_flex: perMillionSeconds(TOKENS['480p'], USD_SILENT, 0.5),
  second_720p_silent_flex: perMillionSeconds(TOKENS['720p'], USD_SILENT, 0.5),
  second_1080p_silent_flex: perMillionSeconds(TOKENS['1080p'], USD_SILENT, 0.5),
  second_480p_draft: perMillionSeconds(TOKENS['480p'], USD_WITH_AUDIO, 0.6),
  second_480p_silent_draft: perMillionSeconds(TOKENS['480p'], USD_SILENT, 0.7),
};

const PRICES_2_0: UnitPrices = {
  second_480p: perMillionSeconds(TOKENS['480p'], 7),
  second_720p: perMillionSeconds(TOKENS['720p'], 7),
  second_1080p: perMillionSeconds(TOKENS['1080p'], 7.7),
  second_4k: perMillionSeconds(TOKENS['4k'], 4),
};

const PRICES_2_0_FAST: UnitPrices = {
  second_480p: perMillionSeconds(TOKENS['480p'], 5.6),
  second_720p: perMillionSeconds(TOKENS['720p'], 5.6),
};

const PRICES_2_5: UnitPrices = {
  second_480p: perMillionSeconds(TOKENS['480p'], 10.7),
  second_720p: perMillionSeconds(TOKENS['720p'], 10.7),
  second_1080p: perMillionSeconds(TOKENS['1080p'], 11.7),
};

export const SEEDANCE = [
  createModel('1.0-pro', 'seedance-1-0-pro-250528', '2025-06-11', prices10(2.5), TRAITS_1_0),
  createModel('1.0-pro-fast', 'seedance-1-0-pro-fast-251015', '2025-10-24', prices10(1), TRAITS_1_0),
  createModel('1.5-pro', 'seedance-1-5-pro-251215', '2025-12-16', PRICES_1_5, {
    resolutions: ['480p', '720p', '1080p'],
    durations: { least: 4, most: 12 },
    discountTiers: ['silent', 'flex', 'draft'],
  }),
  createModel('2.0', 'dreamina-seedance-2-0-260128', '2026-02-12', PRICES_2_0, {
    resolutions: ['480p', '720p', '1080p', '4k'],
    durations: { least: 4, most: 15 },
  }),
  createModel('2.0-fast', 'dreamina-seedance-2-0-fast-260128', '2026-02-12', PRICES_2_0_FAST, {
    resolutions: ['480p', '720p'],
    durations: { least: 4, most: 15 },
  }),
  createModel('2.5', 'dreamina-seedance-2-5-260628', '2026-07-02', PRICES_2_5, {
    resolutions: ['480p', '720p', '1080p'],
    durations: { least: 4, most: 30 },
  }),
] as const satisfies readonly CatalogueModel[];
