import { fitRatio } from '../../../media/image-size.js';
import { findById } from '../../vendor-ids.js';
import {
  type MediaRule,
  ONE_FIRST_FRAME,
  TWO_EITHER_WAY,
  UP_TO_FIVE,
  UP_TO_NINE,
  WAN27_FRAMES,
} from './media-rules.js';

export type Size = Readonly<{ width: number; height: number }>;

/** Sizes that a request may name, by tier. */
const SIZES: Readonly<Record<string, readonly string[]>> = {
  '480P': ['832*480', '480*832', '624*624'],
  '720P': ['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
  '1080P': ['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
};

/** Documented result sizes; other ratios get about as many pixels. */
const DOTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480P': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720P': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1104*832', '3:4': '832*1104' },
  '1080P': { '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440', '4:3': '1648*1248', '3:4': '1248*1648' },
};
const SIDES: Readonly<Record<string, number>> = { '480P': 624, '720P': 960, '1080P': 1_440 };

const split = (size: string): Size => {
  const [width = 0, height = 0] = size.split('*').map(Number);
  return { width, height };
};

export const tierOfSize = (size: string, tiers: readonly string[]): string | undefined =>
  tiers.find((tier) => SIZES[tier]?.includes(size) === true);

export const sizeOf = (size: string): Size => split(size);

export function sizeOfTier(tier: string, ratio: string): Size {
  const size = DOTS[tier]?.[ratio];
  return size === undefined ? fitRatio(ratio, SIDES[tier] ?? 0) : split(size);
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Such as `16:9`, or a common ratio within 5 %. */
export function ratioOfSize({ width, height }: Size): string {
  const near = ['16:9', '9:16', '1:1', '4:3', '3:4'].find((ratio) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(width / height / (across / down) - 1) < 0.05;
  });
  const common = divisor(width, height);
  return near ?? `${width / common}:${height / common}`;
}

/** Where a request has its media. */
export type InputKind = 'text' | 'img_url' | 'reference_urls' | 'media';

/** Each generation reports its usage in other fields. */
export type UsageShape = 'wan2.7' | 'wan2.6' | 'wan2.6-r2v' | 'wan3.0';

/** A video model with its documented limits. */
export interface VideoModel {
  readonly id: string;
  readonly input: InputKind;
  readonly media: MediaRule | null;
  readonly requiresPrompt: boolean;
  readonly promptCharacters: number;
  /** By tier (`720P`), or by size (`1280*720`). */
  readonly sizing: 'resolution' | 'size';
  readonly resolutions: readonly string[];
  /** Null: no ratio; the result follows the first frame. */
  readonly ratios: readonly string[] | null;
  /** `onlyEnds`: only the two limits are valid. */
  readonly seconds: { readonly min: number; readonly max: number; readonly onlyEnds?: true };
  /** Maximum with an input clip. */
  readonly secondsWithClip?: number;
  /** Accepts -1, which lets the model decide. */
  readonly decidesSeconds: boolean;
  readonly framesPerSecond: number;
  readonly hasShotType: boolean;
  /** `audio: false` makes it silent and cheaper. */
  readonly canBeSilent: boolean;
  /** Parameters that it refuses; it ignores others that it does not know. */
  readonly unsupported: readonly string[];
  readonly usage: UsageShape;
  /** Its responses contain the rewritten prompt. */
  readonly reportsRewrite: boolean;
}

const WAN_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];

const COMMON = {
  media: null,
  requiresPrompt: true,
  sizing: 'resolution',
  resolutions: ['720P', '1080P'],
  ratios: null,
  decidesSeconds: false,
  framesPerSecond: 30,
  hasShotType: false,
  canBeSilent: false,
  unsupported: [],
  reportsRewrite: false,
} as const;

const WAN27 = { ...COMMON, promptCharacters: 5_000, seconds: { min: 2, max: 15 }, usage: 'wan2.7' } as const;

const wan27 = (id: string, more: Pick<VideoModel, 'input'> & Partial<VideoModel>): VideoModel => ({
  ...WAN27,
  id,
  ...more,
});

const T2V_27 = { input: 'text', ratios: WAN_RATIOS } as const;
const I2V_27 = { input: 'media', media: WAN27_FRAMES, requiresPrompt: false } as const;
const R2V_27 = { input: 'media', media: UP_TO_FIVE, ratios: WAN_RATIOS, secondsWithClip: 10 } as const;

const WAN26 = {
  ...COMMON,
  promptCharacters: 1_500,
  seconds: { min: 2, max: 15 },
  hasShotType: true,
  usage: 'wan2.6',
  reportsRewrite: true,
} as const;

const WAN25 = {
  ...WAN26,
  resolutions: ['480P', '720P', '1080P'],
  seconds: { min: 5, max: 10, onlyEnds: true },
  hasShotType: false,
} as const;

const WAN26_R2V = {
  ...WAN26,
  input: 'reference_urls',
  sizing: 'size',
  seconds: { min: 2, max: 10 },
  usage: 'wan2.6-r2v',
} as const;

const wan30 = (id: string): VideoModel => ({
  ...COMMON,
  id,
  input: 'media',
  media: TWO_EITHER_WAY,
  requiresPrompt: false,
  promptCharacters: 20_000,
  resolutions: ['480P', '720P', '1080P'],
  ratios: ['adaptive', ...WAN_RATIOS, '21:9'],
  seconds: { min: 2, max: 30 },
  decidesSeconds: true,
  usage: 'wan3.0',
});

const HORSE = {
  ...COMMON,
  promptCharacters: 5_000,
  seconds: { min: 3, max: 15 },
  framesPerSecond: 24,
  usage: 'wan2.7',
} as const;
const HORSE_RATIOS = [...WAN_RATIOS, '4:5', '5:4', '9:21', '21:9'];

const happyHorse = (version: string): VideoModel[] => [
  { ...HORSE, id: `happyhorse-${version}-t2v`, input: 'text', ratios: HORSE_RATIOS },
  {
    ...HORSE,
    id: `happyhorse-${version}-i2v`,
    input: 'media',
    media: ONE_FIRST_FRAME,
    requiresPrompt: false,
    unsupported: ['negative_prompt', 'prompt_extend', 'ratio'],
  },
  { ...HORSE, id: `happyhorse-${version}-r2v`, input: 'media', media: UP_TO_NINE, ratios: HORSE_RATIOS },
];

const MODELS: readonly VideoModel[] = [
  wan27('wan2.7-t2v', T2V_27),
  wan27('wan2.7-t2v-2026-04-25', T2V_27),
  wan27('wan2.7-t2v-2026-06-12', T2V_27),
  wan27('wan2.7-i2v', I2V_27),
  wan27('wan2.7-i2v-2026-04-25', I2V_27),
  wan27('wan2.7-r2v', R2V_27),
  wan27('wan2.7-r2v-2026-06-12', R2V_27),
  { ...WAN26, id: 'wan2.6-t2v', input: 'text', sizing: 'size' },
  { ...WAN26, id: 'wan2.6-i2v', input: 'img_url', requiresPrompt: false },
  { ...WAN26, id: 'wan2.6-i2v-flash', input: 'img_url', requiresPrompt: false, canBeSilent: true },
  { ...WAN26_R2V, id: 'wan2.6-r2v' },
  { ...WAN26_R2V, id: 'wan2.6-r2v-flash', canBeSilent: true },
  { ...WAN25, id: 'wan2.5-t2v-preview', input: 'text', sizing: 'size' },
  { ...WAN25, id: 'wan2.5-i2v-preview', input: 'img_url', requiresPrompt: false },
  wan30('wan3.0-video'),
  wan30('wan3.0-video-prime'),
  ...happyHorse('1.0'),
  ...happyHorse('1.1'),
];

export const findVideoModel = findById(MODELS);
