import { toDataUri } from '../media/data-uri.js';
import type { ImageBody } from '../openai-image-body/image-body.js';
import { listedImages } from '../openai-image-body/listed-images.js';

/** Fields and values of OpenAI's form that the family's own body lacks. The rest of both bodies is the same. */
const FORM_ONLY = [
  'quality',
  'style',
  'background',
  'moderation',
  'output_compression',
  'partial_images',
  'safety_identifier',
];

/** OpenAI's body for Seedream: one image for each call. `sequential_image_generation` makes several in its own body. */
export const imageBody: ImageBody<'ark-images'> = {
  isForm: (body) =>
    body.sequential_image_generation == null &&
    (FORM_ONLY.some((name) => body[name] != null) ||
      body.size === 'auto' ||
      (typeof body.n === 'number' && body.n > 1)),
  supports: { qualities: [], outputFormats: ['png', 'jpeg'], streams: true, several: false },
  toRequest({ model, prompt, size, responseFormat, outputFormat, stream, others }, references) {
    return {
      request: {
        ...others,
        model,
        prompt,
        ...(references.length > 0 && { image: references.map(toDataUri) }),
        ...(size !== undefined && { size: `${size.width}x${size.height}` }),
        ...(responseFormat !== undefined && { response_format: responseFormat }),
        ...(outputFormat !== undefined && { output_format: outputFormat }),
        ...(stream && { stream }),
      },
    };
  },
  imagesOf: listedImages,
};
