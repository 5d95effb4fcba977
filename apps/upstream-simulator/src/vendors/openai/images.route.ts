import { type InvoiceUsage, invoiceOf, tokensOfQuarters } from '../../count/tokens.js';
import { type Fields, textOf } from '../../json/fields.js';
import { renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, ReplyFrame, Route } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { nowSeconds } from '../vendor-ids.js';
import { imageFrames, imageStream, PARTIAL_TOKENS } from './image-stream.js';
import { invalid, openAiHeaders, retiredModel, unknownModel } from './openai-errors.js';
import {
  findImageModel,
  type ImageModel,
  type ImageRequest,
  readImageRequest,
  tokensOfImage,
} from './read-image-request.js';

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

/** Of generations: the first image counts the prompt. */
const framesOf = (model: ImageModel, parsed: ImageRequest): ReplyFrame[] =>
  imageFrames({
    kind: 'image_generation',
    parsed,
    common: { created_at: nowSeconds(), ...described(parsed) },
    imageOf: (mark) => base64Of(parsed, mark),
    billOf: (images, partials) => billOf(model, parsed, images, partials),
    usageOf: (isFirst) => usageOf(billOf(model, parsed, 1, parsed.partials), isFirst ? undefined : 0),
  });

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
    ...(parsed.isStream && { stream: imageStream(framesOf(model, parsed)) }),
  };
};

export const imagesRoute: Route = { method: 'POST', path: '/v1/images/generations', protocol: 'openai-images', handle };
