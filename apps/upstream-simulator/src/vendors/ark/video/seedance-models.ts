/** The kind of task, by the request's contents. */
export type Mode = 'text' | 'first_frame' | 'frames' | 'references' | 'draft';
export type Resolution = '480p' | '720p' | '1080p' | '4k';

/** A video model with its documented limits. */
export interface SeedanceModel {
  readonly generation: '1.0' | '1.5' | '2.x';
  readonly modes: readonly Mode[];
  /** Maximum of each. */
  readonly references: { readonly images: number; readonly videos: number; readonly audios: number };
  readonly resolutions: readonly Resolution[];
  readonly defaultResolution: Resolution;
  readonly seconds: { readonly min: number; readonly max: number };
  readonly hasAudio: boolean;
  readonly hasFlexTier: boolean;
}

const NONE = { images: 0, videos: 0, audios: 0 };
const MANY = { images: 9, videos: 3, audios: 3 };
const THREE: readonly Resolution[] = ['480p', '720p', '1080p'];

const SECOND = {
  generation: '2.x',
  modes: ['text', 'first_frame', 'frames', 'references'],
  references: MANY,
  resolutions: [...THREE, '4k'],
  defaultResolution: '720p',
  seconds: { min: 4, max: 15 },
  hasAudio: true,
  hasFlexTier: false,
} as const satisfies SeedanceModel;

const FIRST = {
  generation: '1.0',
  modes: ['text', 'first_frame', 'frames'],
  references: NONE,
  resolutions: THREE,
  defaultResolution: '1080p',
  seconds: { min: 2, max: 12 },
  hasAudio: false,
  hasFlexTier: true,
} as const satisfies SeedanceModel;

const MODELS: Readonly<Record<string, SeedanceModel>> = {
  'seedance-2-5-260628': { ...SECOND, resolutions: THREE, seconds: { min: 4, max: 30 } },
  'seedance-2-0-260128': SECOND,
  'seedance-2-0-fast-260128': { ...SECOND, resolutions: ['480p', '720p'] },
  'seedance-2-0-mini-260615': { ...SECOND, resolutions: ['480p', '720p'] },
  'seedance-1-5-pro-251215': {
    ...FIRST,
    generation: '1.5',
    modes: ['text', 'first_frame', 'frames', 'draft'],
    defaultResolution: '720p',
    seconds: { min: 4, max: 12 },
    hasAudio: true,
  },
  'seedance-1-0-pro-250528': FIRST,
  'seedance-1-0-pro-fast-251015': { ...FIRST, modes: ['text', 'first_frame'] },
  'seedance-1-0-lite-t2v-250428': { ...FIRST, modes: ['text'], defaultResolution: '720p' },
  'seedance-1-0-lite-i2v-250428': {
    ...FIRST,
    modes: ['first_frame', 'frames', 'references'],
    references: { images: 4, videos: 0, audios: 0 },
    defaultResolution: '720p',
  },
};

/** Each region prefixes the name. */
const REGION = /^(doubao|dreamina)-/;

export const SEEDANCE_MODELS: readonly string[] = Object.keys(MODELS);
export const stripRegion = (name: string): string => name.replace(REGION, '');

export const findSeedanceModel = (name: string): SeedanceModel | undefined => {
  const id = stripRegion(name);
  return Object.hasOwn(MODELS, id) ? MODELS[id] : undefined;
};

export type Size = Readonly<{ width: number; height: number }>;
export const RATIOS: readonly string[] = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

/** Sizes in the order of RATIOS. */
const row = (sizes: string): readonly Size[] =>
  sizes.split(' ').map((size) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return { width, height };
  });

/** Generation 1.0 uses sides of whole macroblocks. */
const FIRST_SIZES: Readonly<Record<Resolution, readonly Size[]>> = {
  '480p': row('864x480 736x544 640x640 544x736 480x864 960x416'),
  '720p': row('1248x704 1120x832 960x960 832x1120 704x1248 1504x640'),
  '1080p': row('1920x1088 1664x1248 1440x1440 1248x1664 1088x1920 2176x928'),
  '4k': [],
};
const LATER_SIZES: Readonly<Record<Resolution, readonly Size[]>> = {
  '480p': row('864x496 752x560 640x640 560x752 496x864 992x432'),
  '720p': row('1280x720 1112x834 960x960 834x1112 720x1280 1470x630'),
  '1080p': row('1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946'),
  '4k': row('3840x2160 3328x2496 2880x2880 2496x3328 2160x3840 4412x1892'),
};

export function sizeOf({ generation }: SeedanceModel, resolution: Resolution, ratio: string): Size {
  const sizes = (generation === '1.0' ? FIRST_SIZES : LATER_SIZES)[resolution];
  return sizes[RATIOS.indexOf(ratio)] ?? { width: 0, height: 0 };
}

export function nearestRatio({ width, height }: Size): string {
  const distance = (ratio: string): number => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log(width / height / (across / down)));
  };
  return RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), RATIOS[0] ?? '');
}

export const FRAMES_PER_SECOND = 24;
const DOTS_PER_TOKEN = 1_024;
/** A draft's price, in tenths of the full price. */
const DRAFT_TENTHS = { withAudio: 6, silent: 7 };

interface Countable extends Size {
  readonly seconds: number;
  readonly isDraft: boolean;
  readonly generatesAudio: boolean;
}

/** Width × height × frames / 1,024. Since generation 1.5 there is one frame more. */
export function countTokens({ generation }: SeedanceModel, video: Countable): number {
  const { width, height, seconds, isDraft, generatesAudio } = video;
  const frames = Math.round(seconds * FRAMES_PER_SECOND) + (generation === '1.0' ? 0 : 1);
  const tokens = Math.floor((width * height * frames) / DOTS_PER_TOKEN);
  const tenths = generatesAudio ? DRAFT_TENTHS.withAudio : DRAFT_TENTHS.silent;
  return isDraft ? Math.floor((tokens * tenths) / 10) : tokens;
}

type Priced = Readonly<{ resolution: string; hasVideo: boolean; generatesAudio: boolean; serviceTier: string }>;

/** The billed unit by what sets its price, such as `video_token_1080p_video_input`. */
export function tokenUnit({ generation }: SeedanceModel, priced: Priced): string {
  const isLarge = generation === '2.x' && (priced.resolution === '1080p' || priced.resolution === '4k');
  return [
    'video_token',
    ...(isLarge ? [priced.resolution] : []),
    ...(priced.hasVideo ? ['video_input'] : []),
    ...(generation === '1.5' && !priced.generatesAudio ? ['silent'] : []),
    ...(priced.serviceTier === 'flex' ? ['flex'] : []),
  ].join('_');
}
