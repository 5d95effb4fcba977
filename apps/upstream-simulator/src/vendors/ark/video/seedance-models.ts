/** What the contents of a request make of it; a model takes only some of these. */
export type Mode = 'text' | 'first_frame' | 'frames' | 'references' | 'draft';

export type Resolution = '480p' | '720p' | '1080p' | '4k';

/** A video model, with what its own documentation allows. */
export interface SeedanceModel {
  readonly generation: '1.0' | '1.5' | '2.x';
  readonly modes: readonly Mode[];
  /** At most so many of each. */
  readonly references: { readonly images: number; readonly videos: number; readonly audios: number };
  readonly resolutions: readonly Resolution[];
  readonly defaultResolution: Resolution;
  readonly seconds: { readonly min: number; readonly max: number };
  readonly hasSound: boolean;
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
  hasSound: true,
  hasFlexTier: false,
} as const satisfies SeedanceModel;

const FIRST = {
  generation: '1.0',
  modes: ['text', 'first_frame', 'frames'],
  references: NONE,
  resolutions: THREE,
  defaultResolution: '1080p',
  seconds: { min: 2, max: 12 },
  hasSound: false,
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
    hasSound: true,
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

/** Each region puts a word of its own before the name. */
const REGION = /^(doubao|dreamina)-/;

export const findSeedanceModel = (name: string): SeedanceModel | undefined => {
  const id = name.replace(REGION, '');
  return Object.hasOwn(MODELS, id) ? MODELS[id] : undefined;
};
