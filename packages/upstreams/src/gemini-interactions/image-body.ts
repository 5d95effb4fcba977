import {
  GatewayError,
  type InteractionImageSize,
  type InteractionRequest,
  type InteractionTraits,
} from '@gateway/contracts';
import { z } from 'zod';
import { toDataUri } from '../media/data-uri.js';
import type { ImageBody, ImageSize, OpenAiImage } from '../openai-image-body/image-body.js';
import { nearestRatio, tierOf } from '../openai-image-body/sizes.js';
import { interactionReply } from './wire.js';

/** The longest side of an image of each tier, whatever its shape. */
const LONGEST_SIDES = [
  ['512px', 512],
  ['1K', 1_536],
  ['2K', 3_072],
  ['4K', 6_144],
] as const satisfies readonly (readonly [InteractionImageSize, number])[];

const imageBlock = z.looseObject({
  type: z.literal('image'),
  data: z.string().min(1),
  mime_type: z.string().optional(),
});

function formatOf(asked: ImageSize, traits: InteractionTraits) {
  const tiers = LONGEST_SIDES.filter(([tier]) => traits.imageTokens[tier] !== undefined);
  const image_size = tierOf(asked, tiers) ?? '1K';
  const aspect_ratio = nearestRatio(asked, traits.aspectRatios) ?? '1:1';
  return { image_size, aspect_ratio };
}

/** OpenAI's body for the interaction family: one image for each call, as base64. Nothing is stored with the vendor. */
export const imageBody: ImageBody<'gemini-interactions'> = {
  isForm: ({ prompt, input }) => prompt !== undefined && input === undefined,
  supports: { qualities: [], outputFormats: ['png', 'jpeg'], streams: false, several: false },
  toRequest({ model, prompt, size, outputFormat, others }, references, traits) {
    const blocks = references.map(({ mediaType, base64 }) => ({
      type: 'image' as const,
      mime_type: mediaType,
      data: base64,
    }));
    const sized = size === undefined ? undefined : formatOf(size, traits);
    const mime = outputFormat === 'jpeg' ? { mime_type: 'image/jpeg' } : {};
    const hasFormat = sized !== undefined || outputFormat === 'jpeg';
    const request: InteractionRequest = {
      ...others,
      model,
      input: [...blocks, { type: 'text', text: prompt }],
      store: false,
      ...(hasFormat && {
        response_format: { type: 'image', ...(sized ?? { image_size: '1K', aspect_ratio: '1:1' }), ...mime },
      }),
    };
    return { request, ...(sized !== undefined && { sent: { size: `${sized.image_size} ${sized.aspect_ratio}` } }) };
  },
  imagesOf(response, { responseFormat }) {
    const parsed = interactionReply.safeParse(response);
    if (!parsed.success) return [];
    if (parsed.data.status === 'failed') {
      throw new GatewayError('invalid_request', 'The vendor refused to make this image.', { param: 'prompt' });
    }
    const blocks = (parsed.data.steps ?? []).flatMap(({ content }) => content ?? []);
    return blocks.flatMap((block): readonly OpenAiImage[] => {
      const image = imageBlock.safeParse(block);
      if (!image.success) return [];
      const { data: base64, mime_type: mediaType = 'image/png' } = image.data;
      return [responseFormat === 'url' ? { url: toDataUri({ mediaType, base64 }) } : { b64_json: base64 }];
    });
  },
};
