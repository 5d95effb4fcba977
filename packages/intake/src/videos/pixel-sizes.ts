import type { VideoModelTraits } from '@gateway/contracts';
import { parseVideoSize, type VideoSize } from '../videos-generations/sizes.js';

/** The shorter side of a resolution whose name does not say it. */
const SHORT_SIDES: Readonly<Record<string, number>> = { '4k': 2160 };

const RATIO = /^(\d+):(\d+)$/;
const PIXELS = /^(\d{2,5})[x*](\d{2,5})$/;

/** Vendors round the longer side to their own multiples, so 864x496 is a 16:9 too. */
const LARGEST_DEVIATION = 0.04;

const shortSideOf = (resolution: string): number => SHORT_SIDES[resolution] ?? Number.parseInt(resolution, 10);

interface Ratio {
  readonly across: number;
  readonly down: number;
}

/** Undefined for a ratio without numbers, such as `adaptive`. */
function ratioOf(aspectRatio: string): Ratio | undefined {
  const [, across, down] = RATIO.exec(aspectRatio)?.map(Number) ?? [];
  return across === undefined || down === undefined ? undefined : { across, down };
}

const even = (pixels: number): number => 2 * Math.round(pixels / 2);

/** Width and height such as `1280x720`; the resolution alone if the ratio has no numbers. */
export function pixelSizeOf({ resolution, aspectRatio }: VideoSize): string {
  const ratio = ratioOf(aspectRatio);
  if (ratio === undefined) return resolution;
  const { across, down } = ratio;
  const short = shortSideOf(resolution);
  const long = even((short * Math.max(across, down)) / Math.min(across, down));
  return across < down ? `${short}x${long}` : `${long}x${short}`;
}

/** All sizes of a model in pixels. */
export const pixelSizesOf = ({ resolutions, aspectRatios }: VideoModelTraits): readonly string[] =>
  resolutions.flatMap((resolution) =>
    aspectRatios
      .filter((ratio) => ratioOf(ratio) !== undefined)
      .map((aspectRatio) => pixelSizeOf({ resolution, aspectRatio })),
  );

/** What the model calls a size of so many pixels. Undefined for one that it does not make. */
export function parsePixelSize(text: string, { resolutions, aspectRatios }: VideoModelTraits): VideoSize | undefined {
  const [, width, height] = PIXELS.exec(text)?.map(Number) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const own = parseVideoSize(`${width}*${height}`);
  if (own !== undefined && resolutions.includes(own.resolution) && aspectRatios.includes(own.aspectRatio)) return own;
  const resolution = resolutions.find((name) => near(Math.min(width, height), shortSideOf(name)));
  const aspectRatio = aspectRatios.find((name) => {
    const ratio = ratioOf(name);
    return ratio !== undefined && near(width / height, ratio.across / ratio.down);
  });
  return resolution === undefined || aspectRatio === undefined ? undefined : { resolution, aspectRatio };
}

const near = (value: number, expected: number): boolean => Math.abs(value / expected - 1) <= LARGEST_DEVIATION;
