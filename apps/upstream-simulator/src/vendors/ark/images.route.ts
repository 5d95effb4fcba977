import { type InvoiceUsage, invoiceOf } from '../../count/tokens.js';
import { textOf } from '../../json/fields.js';
import { type GeneratedImage, renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, ReplyFrame, Route } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import { arkHeaders, errorBody, INTERNAL, missing, parseBody, unknownModel } from './ark-errors.js';
import { type ImageRequest, isKnownModel, readImageRequest } from './read-image-request.js';

const DOTS_PER_TOKEN = 256;
const FAILURE = {
  code: 'OutputImageSensitiveContentDetected',
  message: 'The request failed because the output image may contain sensitive information.',
};

/** The images of one call; the first `failed_images` fail. */
class Sequence {
  readonly #failed: number;

  constructor(
    readonly model: string,
    readonly parsed: ImageRequest,
    private readonly memory: Memory,
    private readonly host: string | undefined,
  ) {
    this.#failed = Math.min(parsed.directives.failedImages ?? 0, parsed.imageCount);
  }

  hasFailed(index: number): boolean {
    return index < this.#failed;
  }

  entry(index: number): object {
    const { parsed } = this;
    if (this.hasFailed(index)) return { error: FAILURE };
    const text = parsed.imageCount === 1 ? parsed.text : `${parsed.text} ${index + 1}`;
    const { width, height, directives } = parsed;
    const image: GeneratedImage = { text, width, height, format: 'jpeg', minBytes: directives.imageBytes };
    const size = `${width}x${height}`;
    return parsed.isBase64
      ? { b64_json: renderImage(image).toString('base64'), size }
      : { url: this.memory.results.put(image, this.host), size };
  }

  /** The bill after the first `count` images. */
  bill(count: number): InvoiceUsage | null {
    const generated = Math.max(0, count - this.#failed);
    return generated === 0 ? null : invoiceOf({ image: generated });
  }

  usage(): object {
    const { width, height, imageCount } = this.parsed;
    const generated = imageCount - this.#failed;
    const tokens = Math.floor((generated * width * height) / DOTS_PER_TOKEN);
    return { generated_images: generated, output_tokens: tokens, total_tokens: tokens };
  }
}

const frame = (type: string, body: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;

function framesOf(sequence: Sequence): ReplyFrame[] {
  const common = { model: sequence.model, created: nowSeconds() };
  const frames: ReplyFrame[] = Array.from({ length: sequence.parsed.imageCount }, (_, index) => ({
    billed: sequence.bill(index + 1),
    text: () => {
      const type = sequence.hasFailed(index) ? 'partial_failed' : 'partial_succeeded';
      return frame(`image_generation.${type}`, { ...common, image_index: index, ...sequence.entry(index) });
    },
  }));
  const usage = sequence.parsed.directives.hidesUsage === true ? {} : { usage: sequence.usage() };
  return [
    ...frames,
    {
      billed: sequence.bill(sequence.parsed.imageCount),
      text: () => frame('image_generation.completed', { ...common, ...usage }),
    },
  ];
}

const whole = (sequence: Sequence): string =>
  JSON.stringify({
    model: sequence.model,
    created: nowSeconds(),
    data: Array.from({ length: sequence.parsed.imageCount }, (_, index) => sequence.entry(index)),
    ...(sequence.parsed.directives.hidesUsage !== true && { usage: sequence.usage() }),
  });

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseBody(incoming);
  const model = textOf(request.model);
  if (model === '') throw missing('model');
  incoming.record.model = model;
  if (!isKnownModel(model)) throw unknownModel(model);
  const parsed = readImageRequest(request, model, memory);
  const sequence = new Sequence(model, parsed, memory, incoming.headers.host);
  const headers = arkHeaders();
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers,
    usage: sequence.bill(parsed.imageCount),
    whole: () => whole(sequence),
    ...(parsed.isStream && {
      stream: {
        frames: framesOf(sequence),
        close: () => 'data: [DONE]\n\n',
        fail: () => `data: ${JSON.stringify(errorBody(INTERNAL, headers['x-request-id']))}\n\n`,
      },
    }),
  };
};

export const imagesRoute: Route = {
  method: 'POST',
  path: '/api/v3/images/generations',
  protocol: 'ark-images',
  handle,
};
