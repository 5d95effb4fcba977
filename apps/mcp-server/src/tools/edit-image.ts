import { ENDPOINTS, imageEditRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { EncodedBody } from '../gateway.js';
import { OWN_ARGUMENTS, OWN_HINTS } from '../own-arguments.js';
import type { JsonObject, PaidTool } from '../tool.js';
import { wrongArgument } from '../tool-failure.js';
import { gatewayFacts } from './content.js';
import { imageResult } from './generate-image/image-result.js';

const ENDPOINT = 'images.edits';
const { path } = ENDPOINTS[ENDPOINT];
const DATA_URI = /^data:[^,]*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

const input = imageEditRequest.omit({ n: true, output_compression: true, user: true }).extend({
  images: z.array(z.string().min(1)).min(1),
  mask: z.string().min(1).optional(),
  n: z.int().min(1).max(10).optional(),
  output_compression: z.int().min(0).max(100).optional(),
  ...OWN_ARGUMENTS,
});

export const editImage: PaidTool = {
  kind: 'paid',
  name: 'edit_image',
  title: 'Edit images',
  description:
    'Changes a picture as a text says, or makes a new one from several. Takes the pictures themselves in base64 (PNG, ' +
    'JPEG or WebP), and a mask whose transparent area is the part to change.',
  endpoint: ENDPOINT,
  input,
  hints: {
    ...OWN_HINTS,
    model: 'Which model edits; gp-image-2 is recommended.',
    prompt: 'What to change.',
    images: 'The pictures, each as base64 or as a data URI. The first one is the one that a mask belongs to.',
    mask: 'A PNG of the same size as the first picture, as base64 or data URI; transparent is where to edit.',
    n: 'How many variants, 1 to 10.',
    size: 'auto, 1024x1024, 1024x1536 or 1536x1024; de-2: 256x256, 512x512, 1024x1024.',
    quality: 'auto, low, medium or high.',
    response_format: 'de-2 only: url gives an address in place of the picture.',
    output_format: 'png, jpeg or webp; not de-2.',
    output_compression: 'For jpeg and webp: 0 to 100.',
    background: 'transparent needs output_format png or webp.',
    input_fidelity: 'How closely the pictures are kept to, where the model takes it.',
  },
  output: z.looseObject({ gateway: gatewayFacts }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf({ images, ...body }) {
    if (!Array.isArray(images) || images.length === 0) {
      throw wrongArgument('images', 'expected a list of at least one picture in base64.');
    }
    return { ...body, images };
  },

  /** What an edit costs depends on how many pictures go in, not on what they show. */
  quotedAs: ({ images, mask, ...body }) => ({
    ...body,
    image: (images as readonly unknown[]).length,
    ...(mask !== undefined && { mask: true }),
  }),

  async run(body, { gateway }) {
    const answer = await gateway.ask({ method: 'POST', path, encoded: await formOf(body) });
    return imageResult(await answer.json<JsonObject>(), answer.facts);
  },
};

async function formOf({ images, mask, ...fields }: JsonObject): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) form.append(name, String(value));
  }
  const pictures = (images as readonly unknown[]).map((picture, index) => fileOf(picture, `images[${index}]`));
  const field = pictures.length === 1 ? 'image' : 'image[]';
  for (const [index, picture] of pictures.entries()) form.append(field, picture, `image-${index + 1}`);
  if (mask !== undefined && mask !== null) form.append('mask', fileOf(mask, 'mask'), 'mask');
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: await encoded.bytes() };
}

/** What kind of picture it is, the gateway reads from its bytes. */
function fileOf(picture: unknown, name: string): Blob {
  const base64 = typeof picture === 'string' ? picture.replace(DATA_URI, '') : '';
  if (!BASE64.test(base64)) throw wrongArgument(name, 'expected a picture as base64 or as a data URI.');
  return new Blob([Buffer.from(base64, 'base64')]);
}
