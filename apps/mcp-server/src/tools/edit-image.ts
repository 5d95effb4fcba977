import { ENDPOINTS, imageEditRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { EncodedBody } from '../gateway.js';
import type { JsonObject, LaterCall, PaidTool } from '../tool.js';
import { invalidArgument } from '../tool-failure.js';
import { LATER_OPTION_HINTS, LATER_OPTIONS } from './call-options.js';
import { gatewayFacts } from './content.js';
import { imageResult } from './generate-image/image-result.js';
import { runNow } from './later/run-later.js';

const ENDPOINT = 'images.edits';
const { path } = ENDPOINTS[ENDPOINT];
const DATA_URI = /^data:[^,]*;base64,/i;
const NO_DIGIT = /[^A-Za-z0-9+/\s]/;
const PADDING = /^={0,2}$/;

/** Reads a text once and repeats nothing: of a long one, a repetition may exceed the stack of expressions. */
function isBase64(text: string): boolean {
  const end = text.indexOf('=');
  const [digits, padding] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end).trimEnd()];
  return digits !== '' && !NO_DIGIT.test(digits) && PADDING.test(padding);
}

const input = imageEditRequest
  .omit({ n: true, output_compression: true, user: true, safety_identifier: true, stream: true, partial_images: true })
  .extend({
    images: z.array(z.string().min(1)).min(1),
    mask: z.string().min(1).optional(),
    n: z.int().min(1).max(10).optional(),
    output_compression: z.int().min(0).max(100).optional(),
    ...LATER_OPTIONS,
  });

const later: LaterCall = {
  requestOf: async (body) => ({ method: 'POST', path, encoded: await formOf(body) }),
  resultOf: async (response) => imageResult(await response.json<JsonObject>(), response.facts),
};

export const editImage: PaidTool = {
  kind: 'paid',
  name: 'edit_image',
  title: 'Edit images',
  description:
    'Edits an image as the prompt says, or combines several into a new one. Takes the images in base64 (PNG, JPEG or ' +
    'WebP), and a mask whose transparent area is the part to change.',
  endpoint: ENDPOINT,
  input,
  hints: {
    ...LATER_OPTION_HINTS,
    model: 'The model to use; gp-image-2 is recommended.',
    prompt: 'What to change.',
    images: 'The images, each as base64 or as a data URI. A mask applies to the first one.',
    mask: 'A PNG of the same size as the first image, as base64 or data URI; edits apply where it is transparent.',
    n: 'How many variants, 1 to 10.',
    size: 'auto, 1024x1024, 1024x1536 or 1536x1024; de-2: 256x256, 512x512, 1024x1024.',
    quality: 'auto, low, medium or high.',
    response_format: 'Not gp-image models: url returns an address instead of the image data.',
    output_format: 'png, jpeg or webp; not de-2.',
    output_compression: 'For jpeg and webp: 0 to 100.',
    background: 'transparent needs output_format png or webp.',
    input_fidelity: 'How closely to follow the input images, where the model supports it.',
  },
  output: z.looseObject({ gateway: gatewayFacts }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf({ images, ...body }) {
    if (!Array.isArray(images) || images.length === 0) {
      throw invalidArgument('images', 'expected a list of at least one image in base64.');
    }
    return { ...body, images };
  },

  /** The price depends on the number of images, so a quote carries no image data. */
  quoteBodyOf: ({ images, mask, ...body }) => ({
    ...body,
    image: (images as readonly unknown[]).length,
    ...(mask !== undefined && { mask: true }),
  }),

  later,
  run: (body, call) => runNow(later, body, call),
};

async function formOf({ images, mask, ...fields }: JsonObject): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) form.append(name, String(value));
  }
  const imageFiles = (images as readonly unknown[]).map((image, index) => fileOf(image, `images[${index}]`));
  const field = imageFiles.length === 1 ? 'image' : 'image[]';
  for (const [index, image] of imageFiles.entries()) form.append(field, image, `image-${index + 1}`);
  if (mask !== undefined && mask !== null) form.append('mask', fileOf(mask, 'mask'), 'mask');
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: await encoded.bytes() };
}

/** Decodes base64 or a data URI. The gateway detects the image format from the bytes. */
function fileOf(image: unknown, name: string): Blob {
  const base64 = typeof image === 'string' ? image.replace(DATA_URI, '') : '';
  if (!isBase64(base64)) throw invalidArgument(name, 'expected an image as base64 or as a data URI.');
  return new Blob([Buffer.from(base64, 'base64')]);
}
