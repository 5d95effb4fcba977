import type { ImageSize } from './image-body.js';

const SIZE = /^(\d{1,5})[x*](\d{1,5})$/;

/** Reads `1024x1024` or `1024*1024`; undefined for anything else, such as `auto`. */
export function parseSize(text: string | null | undefined): ImageSize | undefined {
  const [, width, height] = SIZE.exec(text ?? '') ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
}

const ratioOf = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** Distance of two shapes: 0 for the same one, equal for twice as wide and twice as high. */
const distance = (one: number, other: number): number => Math.abs(Math.log(one / other));

const nearestBy = <Item>(items: readonly Item[], distanceOf: (item: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (best, item) => (best === undefined || distanceOf(item) < distanceOf(best) ? item : best),
    undefined,
  );

/** The ratio, such as `16:9`, whose shape is nearest. */
export const nearestRatio = <Ratio extends string>(
  { width, height }: ImageSize,
  ratios: readonly Ratio[],
): Ratio | undefined => nearestBy(ratios, (ratio) => distance(ratioOf(ratio), width / height));

/** The size of a list whose shape is nearest, and of those the one of the nearest area. */
export function nearestSize<Size extends string>(
  { width, height }: ImageSize,
  sizes: readonly Size[],
): Size | undefined {
  return nearestBy(sizes, (text) => {
    const size = parseSize(text);
    if (size === undefined) return Number.POSITIVE_INFINITY;
    const area = distance(size.width * size.height, width * height);
    return distance(size.width / size.height, width / height) + area / 20;
  });
}

/** The first tier that is large enough for the longest side, else the last one. `tiers`: name and longest side, smallest first. */
export const tierOf = <Tier extends string>(
  { width, height }: ImageSize,
  tiers: readonly (readonly [tier: Tier, longestSide: number])[],
): Tier | undefined => (tiers.find(([, longest]) => Math.max(width, height) <= longest) ?? tiers.at(-1))?.[0];
