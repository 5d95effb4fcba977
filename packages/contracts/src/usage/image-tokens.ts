import type { OpenAiImageTraits } from '../models/image-model-traits.js';

const REFERENCE_AREA = 1_024 * 1_024;
/** What `auto` may become: the largest of the fixed sizes. */
const LARGEST_FIXED_SIZE = '1536x1024';
const SIZE = /^(\d{1,5})x(\d{1,5})$/;

/** Output tokens that one more partial image of a stream costs. */
export const PARTIAL_IMAGE_TOKENS = 100;

/**
 * The documented estimate of a GP image's output tokens: those of 1024x1024 at its quality, in proportion to its area. What
 * is `auto`, or not said, counts as the most that it can become.
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
