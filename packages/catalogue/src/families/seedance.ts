import type { UnitPrices, VideoModelTraits } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/*
 * Seedance video models over ModelArk: docs.byteplus.com/en/docs/ModelArk/1099320. The vendor sells tokens, of which a
 * second has width × height × 24 frames / 1,024. The price of a second is that of its tokens, in the size that 16:9 has;
 * seconds of reference videos are not sold. Flex tasks cost half. A draft has 0.6 of its tokens, a silent one 0.7.
 */

/** Tokens of a second: 864×480, 1248×704, 1920×1088. */
const TOKENS_OF_1_0 = { '480p': 9_720, '720p': 20_592, '1080p': 48_960 } as const;
/** Tokens of a second: 864×496, 1280×720, 1920×1080, 3840×2160. */
const TOKENS = { '480p': 10_044, '720p': 21_600, '1080p': 48_600, '4k': 194_400 } as const;

/** USD of a million seconds, out of USD of a million tokens; the vendor's prices have no more than these digits. */
const seconds = (tokens: number, usdPerMillionTokens: number, share = 1): string =>
  String(Math.round(tokens * usdPerMillionTokens * share * 1_000) / 1_000);

const model = (
  version: string,
  upstreamModel: string,
  released: string,
  perMillion: UnitPrices,
  traits: Pick<VideoModelTraits, 'resolutions' | 'durations'> & Partial<VideoModelTraits>,
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
    prices: [{ from: released, perMillion }],
    video: {
      protocol: 'ark-video',
      traits: {
        bodyFormat: 'seedance',
        mode: 'any',
        aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'],
        discountTiers: [],
        // The vendor gives a task up after the time that its request says, at most three days.
        deadlineSeconds: 73 * 3_600,
        firstPollSeconds: 5,
        ...traits,
      },
    },
  }) as const satisfies CatalogueModel;

const of10 = (usdPerMillionTokens: number): UnitPrices => ({
  second_480p: seconds(TOKENS_OF_1_0['480p'], usdPerMillionTokens),
  second_720p: seconds(TOKENS_OF_1_0['720p'], usdPerMillionTokens),
  second_1080p: seconds(TOKENS_OF_1_0['1080p'], usdPerMillionTokens),
  second_480p_flex: seconds(TOKENS_OF_1_0['480p'], usdPerMillionTokens, 0.5),
  second_720p_flex: seconds(TOKENS_OF_1_0['720p'], usdPerMillionTokens, 0.5),
  second_1080p_flex: seconds(TOKENS_OF_1_0['1080p'], usdPerMillionTokens, 0.5),
});

const TRAITS_OF_1_0: Parameters<typeof model>[4] = {
  resolutions: ['480p', '720p', '1080p'],
  durations: { least: 2, most: 12 },
  discountTiers: ['flex'],
};

/** USD of a million tokens of 1.5: with sound, without. */
const SOUND = 2.4;
const SILENT = 1.2;

const OF_1_5: UnitPrices = {
  second_480p: seconds(TOKENS['480p'], SOUND),
  second_720p: seconds(TOKENS['720p'], SOUND),
  second_1080p: seconds(TOKENS['1080p'], SOUND),
  second_480p_silent: seconds(TOKENS['480p'], SILENT),
  second_720p_silent: seconds(TOKENS['720p'], SILENT),
  second_1080p_silent: seconds(TOKENS['1080p'], SILENT),
  second_480p_flex: seconds(TOKENS['480p'], SOUND, 0.5),
  second_720p_flex: seconds(TOKENS['720p'], SOUND, 0.5),
  second_1080p_flex: seconds(TOKENS['1080p'], SOUND, 0.5),
  second_480p_silent_flex: seconds(TOKENS['480p'], SILENT, 0.5),
  second_720p_silent_flex: seconds(TOKENS['720p'], SILENT, 0.5),
  second_1080p_silent_flex: seconds(TOKENS['1080p'], SILENT, 0.5),
  second_480p_draft: seconds(TOKENS['480p'], SOUND, 0.6),
  second_480p_silent_draft: seconds(TOKENS['480p'], SILENT, 0.7),
};

const OF_2_0: UnitPrices = {
  second_480p: seconds(TOKENS['480p'], 7),
  second_720p: seconds(TOKENS['720p'], 7),
  second_1080p: seconds(TOKENS['1080p'], 7.7),
  second_4k: seconds(TOKENS['4k'], 4),
};

const OF_2_0_FAST: UnitPrices = {
  second_480p: seconds(TOKENS['480p'], 5.6),
  second_720p: seconds(TOKENS['720p'], 5.6),
};

const OF_2_5: UnitPrices = {
  second_480p: seconds(TOKENS['480p'], 10.7),
  second_720p: seconds(TOKENS['720p'], 10.7),
  second_1080p: seconds(TOKENS['1080p'], 11.7),
};

export const SEEDANCE = [
  model('1.0-pro', 'seedance-1-0-pro-250528', '2025-06-11', of10(2.5), TRAITS_OF_1_0),
  model('1.0-pro-fast', 'seedance-1-0-pro-fast-251015', '2025-10-24', of10(1), TRAITS_OF_1_0),
  model('1.0-lite-t2v', 'seedance-1-0-lite-t2v-250428', '2025-05-13', of10(1.8), { ...TRAITS_OF_1_0, mode: 't2v' }),
  model('1.0-lite-i2v', 'seedance-1-0-lite-i2v-250428', '2025-05-13', of10(1.8), { ...TRAITS_OF_1_0, mode: 'i2v' }),
  model('1.5-pro', 'seedance-1-5-pro-251215', '2025-12-16', OF_1_5, {
    resolutions: ['480p', '720p', '1080p'],
    durations: { least: 4, most: 12 },
    discountTiers: ['silent', 'flex', 'draft'],
  }),
  model('2.0', 'dreamina-seedance-2-0-260128', '2026-02-12', OF_2_0, {
    resolutions: ['480p', '720p', '1080p', '4k'],
    durations: { least: 4, most: 15 },
  }),
  model('2.0-fast', 'dreamina-seedance-2-0-fast-260128', '2026-02-12', OF_2_0_FAST, {
    resolutions: ['480p', '720p'],
    durations: { least: 4, most: 15 },
  }),
  model('2.5', 'dreamina-seedance-2-5-260628', '2026-07-02', OF_2_5, {
    resolutions: ['480p', '720p', '1080p'],
    durations: { least: 4, most: 30 },
  }),
] as const satisfies readonly CatalogueModel[];
