import type { OpenAiImageTraits } from '../models/image-model-traits.js';

const REFERENCE_AREA = 1_024 * 1_024;
/** The largest fixed size: what `auto` may become at most. */
const LARGEST_FIXED_SIZE = '1536x1024';
const SIZE = /^(\d{1,5})x(\d{1,5})$/;

/** Output tokens of one partial image of a stream. */
export const PARTIAL_IMAGE_TOKENS = 100;

/**
 * The documented estimate of a GP image's output tokens: those of 1024x1024 at its quality, scaled by area.
 * A size or quality that is `auto` or absent counts as the largest possible.
 */
export function estimateImageTokens(
  traits: Pick<OpenAiImageTraits, 'imageTokens'>,
  size: string | null | undefined,
  quality: string | null | undefined,
): number {
  const [, width, height] = SIZE.exec(size ?? '') ?? SIZE.exec(LARGEST_FIXED_SIZE) ?? [];
  const tokens = quality === 'low' || quality === 'medium' ? traits.imageTokens[quality] : traits.imageTokens.high;
  return Math.ceil((tokens * Number(width) * Number(height)) / REFERENCE_AREA);
}
