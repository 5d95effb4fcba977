import { fitRatio } from '../../../media/image-size.js';
import {
  type MediaRule,
  ONE_FIRST_FRAME,
  TWO_EITHER_WAY,
  UP_TO_FIVE,
  UP_TO_NINE,
  WAN27_FRAMES,
} from './media-rules.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The sizes that can be asked for, by tier. */
const SIZES: Readonly<Record<string, readonly string[]>> = {
  '480P': ['832*480', '480*832', '624*624'],
  '720P': ['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
  '1080P': ['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
};

/** What comes of a tier and a ratio where the documentation tells it; other ratios have about as many dots. */
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

/** The tier that a size such as `1280*720` belongs to, of those the model has. */
export const tierOfSize = (size: string, tiers: readonly string[]): string | undefined =>
  tiers.find((tier) => SIZES[tier]?.includes(size) === true);

export const sizeOf = (size: string): Size => split(size);

export function sizeOfTier(tier: string, ratio: string): Size {
  const size = DOTS[tier]?.[ratio];
  return size === undefined ? fitRatio(ratio, SIDES[tier] ?? 0) : split(size);
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Such as `16:9`; of a size that is only near to a common ratio, that ratio. */
export function ratioOfSize({ width, height }: Size): string {
  const near = ['16:9', '9:16', '1:1', '4:3', '3:4'].find((ratio) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(width / height / (across / down) - 1) < 0.05;
  });
  const common = divisor(width, height);
  return near ?? `${width / common}:${height / common}`;
}

/** Where a model's request has its pictures, clips and sounds. */
export type InputKind = 'text' | 'img_url' | 'reference_urls' | 'media';

/** What a finished task tells of its usage: each generation has other fields. */
export type UsageShape = 'wan2.7' | 'wan2.6' | 'wan2.6-r2v' | 'wan3.0';

/** A video model, with what its own documentation allows. */
export interface VideoModel {
  readonly id: string;
  readonly input: InputKind;
  readonly media: MediaRule | null;
  readonly requiresPrompt: boolean;
  readonly promptCharacters: number;
  /** Tiers such as `720P`, or sizes such as `1280*720` that belong to tiers. */
  readonly sizing: 'resolution' | 'size';
  readonly resolutions: readonly string[];
  /** Null: it follows the frame, and takes no ratio. */
  readonly ratios: readonly string[] | null;
  /** From the least to the most, or only the two. */
  readonly seconds: { readonly min: number; readonly max: number; readonly onlyEnds?: true };
  /** The most with a clip to go by. */
  readonly secondsWithClip?: number;
  /** -1: the model decides. */
  readonly decidesSeconds: boolean;
  readonly framesPerSecond: number;
  readonly hasShotType: boolean;
  /** `audio: false` makes it silent, and cheaper. */
  readonly canBeSilent: boolean;
  /** What it refuses beside what no model knows, which is ignored. */
  readonly unsupported: readonly string[];
  readonly usage: UsageShape;
  /** Its answers tell the prompt that it has made of the client's. */
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

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findVideoModel = (name: string): VideoModel | undefined => BY_NAME.get(name);
