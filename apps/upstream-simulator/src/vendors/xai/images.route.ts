import { type InvoiceUsage, invoiceOf, PromptTally } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, isFields, listOf, textOf } from '../../json/fields.js';
import { type GeneratedImage, MEDIA_TYPES, renderImage } from '../../media/image.js';
import { fitRatio } from '../../media/image-size.js';
import { inspectImage } from '../../media/inspect-image.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { findById } from '../vendor-ids.js';
import { invalid, oneOf, parseBody, TICKS_PER_CENT, unknownModel, unparsable, xaiHeaders } from './xai-errors.js';

type Cents = number;

interface ImageModel {
  readonly id: string;
  readonly resolutions: readonly string[];
  readonly hasQuality: boolean;
  readonly centsOfOutputImage: (resolution: string, quality: string) => Cents;
  readonly centsOfReference: Cents;
}

const TIERS: Readonly<Record<string, readonly [low: Cents, medium: Cents]>> = {
  '1k': [4, 6],
  '1.5k': [5, 7],
  '2k': [6, 8],
};
const OLDER = { resolutions: ['1k', '2k'], hasQuality: false, centsOfReference: 0.2 };

export const IMAGE_MODELS: readonly ImageModel[] = [
  { ...OLDER, id: 'grok-imagine-image', centsOfOutputImage: () => 2 },
  { ...OLDER, id: 'grok-imagine-image-quality', centsOfOutputImage: () => 5, centsOfReference: 1 },
  {
    id: 'grok-imagine-image-2.0',
    resolutions: ['1k', '1.5k', '2k'],
    hasQuality: true,
    centsOfOutputImage: (resolution, quality) => TIERS[resolution]?.[quality === 'low' ? 0 : 1] ?? 0,
    centsOfReference: 1,
  },
];

const findImageModel = findById(IMAGE_MODELS);
const RATIOS = '1:1 3:4 4:3 9:16 16:9 2:3 3:2 9:19.5 19.5:9 9:20 20:9 1:2 2:1 auto'.split(' ');
const SIDES: Readonly<Record<string, number>> = { '1k': 1_024, '1.5k': 1_536, '2k': 2_048 };
const MAX_IMAGES = 10;
const MAX_REFERENCES = 5;

function readReferences(request: Fields, memory: Memory): number {
  const given = isAbsent(request.images) ? [request.image] : listOf(request.images);
  const references = given.filter((one) => !isAbsent(one));
  if (references.length > MAX_REFERENCES) throw invalid(`At most ${MAX_REFERENCES} images are supported.`);
  for (const reference of references) {
    if (!isFields(reference) || textOf(reference.url) === '') throw unparsable('image: missing field `url`');
    const { kind } = inspectImage(textOf(fieldsOf(reference).url), memory.results);
    if (kind === 'unreachable' || kind === 'broken') throw invalid('Failed to fetch or decode the image.');
  }
  return references.length;
}

function readImageCount(n: unknown): number {
  if (isAbsent(n)) return 1;
  if (typeof n !== 'number' || !Number.isInteger(n)) throw unparsable('n: invalid type, expected u32');
  if (n < 1 || n > MAX_IMAGES) throw invalid(`n must be between 1 and ${MAX_IMAGES}.`);
  return n;
}

function readImageRequest(request: Fields, model: ImageModel, memory: Memory) {
  const unsupported = ['size', ...(model.hasQuality ? [] : ['quality'])].find((name) => !isAbsent(request[name]));
  if (unsupported !== undefined) throw invalid(`Argument not supported: ${unsupported}`);
  const { prompt } = request;
  if (typeof prompt !== 'string' || prompt === '') throw unparsable('missing field `prompt`');
  const resolution = oneOf(request, 'resolution', model.resolutions, '1k');
  const ratio = oneOf(request, 'aspect_ratio', RATIOS, '1:1');
  const tally = new PromptTally(prompt);
  const directives = memory.repeats.activeDirectives('xai', tally.directed);
  if (directives.isBlocked === true) throw invalid('Generated image rejected by content moderation.');
  return {
    directives,
    text: stripDirectives(prompt),
    imageCount: readImageCount(request.n),
    references: readReferences(request, memory),
    resolution,
    quality: oneOf(request, 'quality', ['low', 'medium'], 'medium'),
    ...fitRatio(ratio === 'auto' ? '1:1' : ratio, SIDES[resolution] ?? 0),
    isBase64: oneOf(request, 'response_format', ['url', 'b64_json'], 'url') === 'b64_json',
  };
}

type ImageRequest = ReturnType<typeof readImageRequest>;

/** Images that moderation rejects are not billed. */
const deliveredCount = ({ imageCount, directives }: ImageRequest): number =>
  Math.max(0, imageCount - (directives.failedImages ?? 0));

function billOf(model: ImageModel, parsed: ImageRequest): InvoiceUsage | null {
  const delivered = deliveredCount(parsed);
  if (delivered === 0) return null;
  const unit = model.hasQuality ? `image_${parsed.resolution.replace('.', '_')}_${parsed.quality}` : 'image';
  return invoiceOf({ [unit]: delivered, ...(model.centsOfReference > 0 && { input_image: parsed.references }) });
}

const ticksOf = (model: ImageModel, parsed: ImageRequest): number => {
  const delivered = deliveredCount(parsed);
  const references = delivered === 0 ? 0 : parsed.references * model.centsOfReference;
  const cents = delivered * model.centsOfOutputImage(parsed.resolution, parsed.quality) + references;
  return Math.round(cents * TICKS_PER_CENT);
};

function entryOf(parsed: ImageRequest, index: number, memory: Memory, host: string | undefined): object {
  const common = { mime_type: MEDIA_TYPES.jpeg, revised_prompt: '' };
  if (index >= deliveredCount(parsed)) return { ...common, respect_moderation: false };
  const { text, width, height, directives } = parsed;
  const image: GeneratedImage = { text, width, height, format: 'jpeg', minBytes: directives.imageBytes };
  return parsed.isBase64
    ? { b64_json: renderImage(image).toString('base64'), ...common }
    : { url: memory.results.put(image, host), ...common };
}

const handleImages =
  (isEdit: boolean) =>
  (incoming: IncomingRequest, memory: Memory): RenderedReply => {
    const request = parseBody(incoming);
    const name = textOf(request.model);
    incoming.record.model = name;
    const model = findImageModel(name);
    if (model === undefined) throw unknownModel(name);
    const parsed = readImageRequest(request, model, memory);
    if (isEdit && parsed.references === 0) throw invalid('An image is required to edit.');
    const data = () =>
      Array.from({ length: parsed.imageCount }, (_, index) => entryOf(parsed, index, memory, incoming.headers.host));
    const usage = parsed.directives.hidesUsage === true ? {} : { usage: { cost_in_usd_ticks: ticksOf(model, parsed) } };
    return {
      kind: 'rendered',
      directives: parsed.directives,
      headers: xaiHeaders(),
      usage: billOf(model, parsed),
      whole: () => JSON.stringify({ data: data(), ...usage }),
    };
  };

export const imageRoutes: readonly Route[] = [
  { method: 'POST', path: '/v1/images/generations', protocol: 'xai-images', handle: handleImages(false) },
  { method: 'POST', path: '/v1/images/edits', protocol: 'xai-images', handle: handleImages(true) },
];
