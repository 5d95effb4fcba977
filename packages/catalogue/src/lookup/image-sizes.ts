import { type ImageEditModelTraits, QWEN_IMAGE_SIZES } from '@gateway/contracts';
import type { ImageCapability } from '../catalogue-model.js';

/** One size of each shape for the words that vendors have for a resolution. */
const SIZES_OF_TIER: Readonly<Record<string, readonly string[]>> = {
  '512PX': ['512x512'],
  '1K': ['1024x1024', '1152x768', '768x1152'],
  '1.5K': ['1536x1536'],
  '2K': ['2048x2048', '2304x1536', '1536x2304'],
  '3K': ['3072x3072'],
  '4K': ['4096x4096'],
};

const sizesOfTiers = (tiers: readonly string[]): readonly string[] =>
  tiers.flatMap((tier) => SIZES_OF_TIER[tier.toUpperCase()] ?? []);

const withoutAuto = (sizes: readonly string[]): readonly string[] => sizes.filter((size) => size !== 'auto');

/** Sizes to offer in OpenAI's body. Most models take further ones; none: the model chooses by itself. */
export function imageSizes(image: ImageCapability): readonly string[] {
  switch (image.protocol) {
    case 'openai-images':
      return withoutAuto(image.traits.sizes);
    case 'dashscope-image':
      return image.traits.supportsSize ? QWEN_IMAGE_SIZES.map((size) => size.replace('*', 'x')) : [];
    case 'gemini-interactions':
      return sizesOfTiers(Object.keys(image.traits.imageTokens));
    case 'ark-images':
      return sizesOfTiers(image.traits.sizes);
    case 'xai-images':
      return sizesOfTiers(image.traits.resolutions);
  }
}

/** Qualities to offer in OpenAI's body; none: the model has one. */
export function imageQualities(image: ImageCapability): readonly string[] {
  if (image.protocol === 'openai-images') return Object.keys(image.traits.imageTokens);
  return image.protocol === 'xai-images' ? (image.traits.qualities ?? []) : [];
}

export const editQualities = ({ billing }: Pick<ImageEditModelTraits, 'billing'>): readonly string[] =>
  billing.by === 'tokens' ? Object.keys(billing.imageTokens) : [];
