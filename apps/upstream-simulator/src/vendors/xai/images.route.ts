import { type InvoiceUsage, invoiceOf } from '../../count/tokens.js';
import { textOf } from '../../json/fields.js';
import { type GeneratedImage, MEDIA_TYPES, renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { findImageModel, type ImageModel, type ImageRequest, readImageRequest } from './read-image-request.js';
import { invalid, parseBody, TICKS_PER_CENT, unknownModel, xaiHeaders } from './xai-errors.js';

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
  return (delivered * model.centsOfOutputImage(parsed.resolution, parsed.quality) + references) * TICKS_PER_CENT;
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
