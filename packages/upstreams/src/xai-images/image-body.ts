import type { GrokImageRequest, GrokImageTraits } from '@gateway/contracts';
import { toDataUri } from '../media/data-uri.js';
import type { ImageBody, ImageReference, ImageSize } from '../openai-image-body/image-body.js';
import { listedImages } from '../openai-image-body/listed-images.js';
import { nearestRatio, tierOf } from '../openai-image-body/sizes.js';

const FORM_ONLY = [
  'size',
  'style',
  'background',
  'moderation',
  'output_format',
  'output_compression',
  'partial_images',
  'safety_identifier',
];
const FORM_QUALITIES = ['auto', 'standard', 'hd', 'high'];

type AspectRatio = Exclude<GrokImageRequest['aspect_ratio'], 'auto' | null | undefined>;

const ASPECT_RATIOS: readonly AspectRatio[] = [
  ...(['1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2'] as const),
  ...(['9:19.5', '19.5:9', '9:20', '20:9', '1:2', '2:1'] as const),
];

const LONGEST_SIDES = [
  ['1k', 1_280],
  ['1.5k', 1_792],
  ['2k', 4_096],
] as const;

function shapeOf(asked: ImageSize, { resolutions }: GrokImageTraits) {
  const tiers = LONGEST_SIDES.filter(([tier]) => resolutions.includes(tier));
  return {
    aspect_ratio: nearestRatio(asked, ASPECT_RATIOS) ?? '1:1',
    resolution: tierOf(asked, tiers) ?? '1k',
  } as const;
}

const referencesOf = (references: readonly ImageReference[]) => {
  const [only, ...others] = references.map((reference) => ({ url: toDataUri(reference), type: 'image_url' as const }));
  if (only === undefined) return {};
  return others.length === 0 ? { image: only } : { images: [only, ...others] };
};

/** OpenAI's body for Grok-type models: all images in one call. */
export const imageBody: ImageBody<'xai-images'> = {
  isForm: (body) =>
    FORM_ONLY.some((name) => body[name] != null) || FORM_QUALITIES.includes(String(body.quality ?? undefined)),
  supports: { qualities: ['low', 'medium'], outputFormats: [], streams: false, several: true },
  toRequest({ model, prompt, count, size, quality, responseFormat, others }, references, traits) {
    const shape = size === undefined ? undefined : shapeOf(size, traits);
    return {
      request: {
        ...others,
        model,
        prompt,
        n: count,
        ...referencesOf(references),
        ...shape,
        ...(quality !== undefined && { quality: quality as 'low' | 'medium' }),
        ...(responseFormat !== undefined && { response_format: responseFormat }),
      },
      ...(shape !== undefined && { sent: { size: `${shape.resolution} ${shape.aspect_ratio}` } }),
    };
  },
  imagesOf: listedImages,
};
