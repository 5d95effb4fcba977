import type { Resolution, SeedanceModel } from './seedance-models.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const RATIOS: readonly string[] = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];

/** In the order of the ratios. */
const row = (sizes: string): readonly Size[] =>
  sizes.split(' ').map((size) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return { width, height };
  });

/** The first generation has sides of whole blocks, the later ones of round numbers. */
const FIRST: Readonly<Record<Resolution, readonly Size[]>> = {
  '480p': row('864x480 736x544 640x640 544x736 480x864 960x416'),
  '720p': row('1248x704 1120x832 960x960 832x1120 704x1248 1504x640'),
  '1080p': row('1920x1088 1664x1248 1440x1440 1248x1664 1088x1920 2176x928'),
  '4k': [],
};
const LATER: Readonly<Record<Resolution, readonly Size[]>> = {
  '480p': row('864x496 752x560 640x640 560x752 496x864 992x432'),
  '720p': row('1280x720 1112x834 960x960 834x1112 720x1280 1470x630'),
  '1080p': row('1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946'),
  '4k': row('3840x2160 3328x2496 2880x2880 2496x3328 2160x3840 4412x1892'),
};

export function sizeOf({ generation }: SeedanceModel, resolution: Resolution, ratio: string): Size {
  const sizes = (generation === '1.0' ? FIRST : LATER)[resolution];
  return sizes[RATIOS.indexOf(ratio)] ?? { width: 0, height: 0 };
}

/** The ratio that is nearest to a picture's own. */
export function nearestRatio({ width, height }: Size): string {
  const distance = (ratio: string): number => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log(width / height / (across / down)));
  };
  return RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), RATIOS[0] ?? '');
}
