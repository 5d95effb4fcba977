import type { InvoiceUsage } from '../../count/tokens.js';
import type { RenderedReply, ReplyFrame } from '../vendor-emulator.js';
import { errorBody, SERVER_ERROR } from './openai-errors.js';
import type { ImageRequest } from './read-image-request.js';

/** Billed tokens of one partial image. */
export const PARTIAL_TOKENS = 100;

interface StreamedImages {
  readonly kind: 'image_generation' | 'image_edit';
  readonly parsed: ImageRequest;
  /** Fields of every event. */
  readonly common: object;
  /** Base64 of the image, with a mark in its text. */
  readonly imageOf: (mark: string) => string;
  readonly billOf: (images: number, partials: number) => InvoiceUsage;
  /** Of one image. */
  readonly usageOf: (isFirst: boolean) => object;
}

const frame = (type: string, body: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;

/** Partial images before each image. An image that has begun is billed whole. */
export function imageFrames({ kind, parsed, common, imageOf, billOf, usageOf }: StreamedImages): ReplyFrame[] {
  const { n, partials, directives } = parsed;
  const frames: ReplyFrame[] = [];
  for (let image = 0; image < n; image += 1) {
    for (let index = 0; index < partials; index += 1) {
      frames.push({
        billed: billOf(image + 1, image * partials + index + 1),
        text: () =>
          frame(`${kind}.partial_image`, {
            b64_json: imageOf(`, part ${index + 1}`),
            partial_image_index: index,
            ...common,
          }),
      });
    }
    frames.push({
      billed: billOf(image + 1, (image + 1) * partials),
      text: () =>
        frame(`${kind}.completed`, {
          b64_json: imageOf(''),
          ...common,
          ...(directives.hidesUsage !== true && { usage: usageOf(image === 0) }),
        }),
    });
  }
  return frames;
}

export const imageStream = (frames: ReplyFrame[]): NonNullable<RenderedReply['stream']> => ({
  frames,
  close: () => '',
  fail: () => frame('error', errorBody(SERVER_ERROR)),
});
