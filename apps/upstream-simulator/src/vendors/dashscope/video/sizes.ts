import { fitRatio } from '../../../media/fit-ratio.js';

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
