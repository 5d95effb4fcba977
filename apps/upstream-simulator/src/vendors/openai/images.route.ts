import { type InvoiceUsage, invoiceOf, tokensOfQuarters } from '../../count/tokens.js';
import { type Fields, textOf } from '../../json/fields.js';
import { renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, ReplyFrame, Route } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { nowSeconds } from '../vendor-ids.js';
import { errorBody, invalid, openAiHeaders, retiredModel, SERVER_ERROR, unknownModel } from './openai-errors.js';
import {
  findImageModel,
  type ImageModel,
  type ImageRequest,
  readImageRequest,
  tokensOfImage,
} from './read-image-request.js';

const PARTIAL_TOKENS = 100;

const parse = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => invalid('We could not parse the JSON body of your request.'));

const base64Of = ({ text, width, height, format, background, directives }: ImageRequest, mark = ''): string =>
  renderImage({
    text: text + mark,
    width,
    height,
    format,
    isTransparent: background === 'transparent',
    minBytes: directives.imageBytes,
  }).toString('base64');

const described = (parsed: ImageRequest) => ({
  background: parsed.background,
  output_format: parsed.format,
  quality: parsed.quality,
  size: `${parsed.width}x${parsed.height}`,
});

/** The bill for finished images and partial ones. */
const billOf = (model: ImageModel, parsed: ImageRequest, imageCount: number, partials: number): InvoiceUsage =>
  invoiceOf(
    {
      output_image_token:
        imageCount * tokensOfImage(model, parsed.quality, parsed.width, parsed.height) + partials * PARTIAL_TOKENS,
    },
    { input: tokensOfQuarters(parsed.promptQuarters) },
  );

/** The bill in the vendor's format. */
const usageOf = (bill: InvoiceUsage, inputTokens = bill.input_tokens) => {
  const output = bill.units?.output_image_token ?? 0;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { image_tokens: 0, text_tokens: inputTokens },
    output_tokens: output,
    output_tokens_details: { image_tokens: output, text_tokens: 0 },
    total_tokens: inputTokens + output,
  };
};

const frame = (type: string, body: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;

/** Partial images before each image; the first image counts the prompt. An image that has begun is billed whole. */
function framesOf(model: ImageModel, parsed: ImageRequest): ReplyFrame[] {
  const frames: ReplyFrame[] = [];
  const common = { created_at: nowSeconds(), ...described(parsed) };
  for (let image = 0; image < parsed.n; image += 1) {
    for (let index = 0; index < parsed.partials; index += 1) {
      const mark = `, part ${index + 1}`;
      frames.push({
        billed: billOf(model, parsed, image + 1, image * parsed.partials + index + 1),
        text: () =>
          frame('image_generation.partial_image', {
            b64_json: base64Of(parsed, mark),
            partial_image_index: index,
            ...common,
          }),
      });
    }
    const own = usageOf(billOf(model, parsed, 1, parsed.partials), image === 0 ? undefined : 0);
    frames.push({
      billed: billOf(model, parsed, image + 1, (image + 1) * parsed.partials),
      text: () =>
        frame('image_generation.completed', {
          b64_json: base64Of(parsed),
          ...common,
          ...(parsed.directives.hidesUsage !== true && { usage: own }),
        }),
    });
  }
  return frames;
}

const whole = (parsed: ImageRequest, bill: InvoiceUsage): string => {
  const image = base64Of(parsed);
  return JSON.stringify({
    created: nowSeconds(),
    data: Array.from({ length: parsed.n }, () => ({ b64_json: image })),
    ...described(parsed),
    ...(parsed.directives.hidesUsage !== true && { usage: usageOf(bill) }),
  });
};

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parse(incoming);
  const name = textOf(request.model);
  if (name === '') throw invalid('you must provide a model parameter');
  incoming.record.model = name;
  const model = findImageModel(name);
  if (model === undefined) throw unknownModel(name);
  if (memory.calendar.isRetired('openai', name)) throw retiredModel(name);
  const parsed = readImageRequest(request, model, memory);
  const bill = billOf(model, parsed, parsed.n, parsed.isStream ? parsed.n * parsed.partials : 0);
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: openAiHeaders(),
    usage: bill,
    whole: () => whole(parsed, bill),
    ...(parsed.isStream && {
      stream: { frames: framesOf(model, parsed), close: () => '', fail: () => frame('error', errorBody(SERVER_ERROR)) },
    }),
  };
};

export const imagesRoute: Route = { method: 'POST', path: '/v1/images/generations', protocol: 'openai-images', handle };
