import { invoiceOf, tokensOfQuarters } from '../../count/tokens.js';
import { type GeneratedImage, renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import { editLegacyImages, LEGACY_MODEL } from './legacy-image-edits.js';
import { invalid, openAiHeaders, retiredModel, unknownModel } from './openai-errors.js';
import { readEditFiles } from './read-edit-files.js';
import { type FormPart, readForm, type Texts, textsOf } from './read-form.js';
import { findImageModel, type ImageModel, readImageRequest, tokensOfImage } from './read-image-request.js';

/** Billed tokens of a reference image of any size. */
const REFERENCE_TOKENS = 194;

/** The form as a generation's JSON. */
function asRequest({ input_fidelity: _, ...texts }: Texts): Readonly<Record<string, unknown>> {
  const numbers = ['n', 'output_compression'].flatMap((name) =>
    texts[name] === undefined ? [] : [[name, Number(texts[name])] as const],
  );
  return { ...texts, ...Object.fromEntries(numbers) };
}

function editImages(model: ImageModel, parts: readonly FormPart[], memory: Memory): RenderedReply {
  const texts = textsOf(parts);
  if (texts.input_fidelity !== undefined && model.supportsCustomSizes) {
    throw invalid(
      `The model '${model.id}' does not support the 'input_fidelity' parameter.`,
      'input_fidelity',
      'invalid_input_fidelity_model',
    );
  }
  const references = readEditFiles(parts, false);
  const parsed = readImageRequest(asRequest(texts), model, memory);
  const imageIn = references * REFERENCE_TOKENS;
  const textIn = tokensOfQuarters(parsed.promptQuarters);
  const output = parsed.n * tokensOfImage(model, parsed.quality, parsed.width, parsed.height);
  const { text, width, height, format, background, quality } = parsed;
  const isTransparent = background === 'transparent';
  const image: GeneratedImage = { text, width, height, format, isTransparent, minBytes: parsed.directives.imageBytes };
  const usage = {
    input_tokens: textIn + imageIn,
    input_tokens_details: { image_tokens: imageIn, text_tokens: textIn },
    output_tokens: output,
    output_tokens_details: { image_tokens: output, text_tokens: 0 },
    total_tokens: textIn + imageIn + output,
  };
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: openAiHeaders(),
    usage: invoiceOf({ input_image_token: imageIn, output_image_token: output }, { input: textIn }),
    whole: () => {
      const base64 = renderImage(image).toString('base64');
      return JSON.stringify({
        created: nowSeconds(),
        background,
        data: Array.from({ length: parsed.n }, () => ({ b64_json: base64 })),
        output_format: format,
        quality,
        size: `${width}x${height}`,
        ...(parsed.directives.hidesUsage !== true && { usage }),
      });
    },
  };
}

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const parts = readForm(incoming.headers['content-type'], incoming.body);
  const name = textsOf(parts).model ?? '';
  if (name === '') throw invalid('you must provide a model parameter');
  incoming.record.model = name;
  if (name === LEGACY_MODEL) return editLegacyImages(parts, memory, incoming.headers.host);
  const model = findImageModel(name);
  if (model === undefined) throw unknownModel(name);
  if (memory.calendar.isRetired('openai', name)) throw retiredModel(name);
  return editImages(model, parts, memory);
};

export const imageEditsRoute: Route = {
  method: 'POST',
  path: '/v1/images/edits',
  protocol: 'openai-image-edits',
  handle,
};
