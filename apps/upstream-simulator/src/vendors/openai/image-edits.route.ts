import { invoiceOf, tokensOfQuarters } from '../../count/tokens.js';
import { renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import { imageFrames, imageStream, PARTIAL_TOKENS } from './image-stream.js';
import { editLegacyImages, LEGACY_MODEL } from './legacy-image-edits.js';
import { invalid, openAiHeaders, retiredModel, unknownModel } from './openai-errors.js';
import { readEditFiles } from './read-edit-files.js';
import { type FormPart, readForm, type Texts, textsOf } from './read-form.js';
import { findImageModel, type ImageModel, readImageRequest, tokensOfImage } from './read-image-request.js';

/** Billed tokens of a reference image of any size. */
const REFERENCE_TOKENS = 194;

/** The form as a generation's JSON. */
function asRequest({ input_fidelity: _, stream, ...texts }: Texts): Readonly<Record<string, unknown>> {
  const numbers = ['n', 'output_compression', 'partial_images'].flatMap((name) =>
    texts[name] === undefined ? [] : [[name, Number(texts[name])] as const],
  );
  return { ...texts, ...Object.fromEntries(numbers), ...(stream === 'true' && { stream: true }) };
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
  const whole = tokensOfImage(model, parsed.quality, parsed.width, parsed.height);
  const partials = parsed.isStream ? parsed.partials : 0;
  const { text, width, height, format, background, quality } = parsed;
  const imageOf = (mark = ''): string =>
    renderImage({
      text: text + mark,
      width,
      height,
      format,
      isTransparent: background === 'transparent',
      minBytes: parsed.directives.imageBytes,
    }).toString('base64');
  const billOf = (images: number, shown: number) =>
    invoiceOf(
      { input_image_token: imageIn, output_image_token: images * whole + shown * PARTIAL_TOKENS },
      { input: textIn },
    );
  /** The first image counts the prompt and the references. */
  const usageOf = (images: number, countsInput: boolean) => {
    const [textTokens, imageTokens] = countsInput ? [textIn, imageIn] : [0, 0];
    const output = images * (whole + partials * PARTIAL_TOKENS);
    return {
      input_tokens: textTokens + imageTokens,
      input_tokens_details: { image_tokens: imageTokens, text_tokens: textTokens },
      output_tokens: output,
      output_tokens_details: { image_tokens: output, text_tokens: 0 },
      total_tokens: textTokens + imageTokens + output,
    };
  };
  const described = { background, output_format: format, quality, size: `${width}x${height}` };
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: openAiHeaders(),
    usage: billOf(parsed.n, parsed.n * partials),
    whole: () => {
      const base64 = imageOf();
      return JSON.stringify({
        created: nowSeconds(),
        ...described,
        data: Array.from({ length: parsed.n }, () => ({ b64_json: base64 })),
        ...(parsed.directives.hidesUsage !== true && { usage: usageOf(parsed.n, true) }),
      });
    },
    ...(parsed.isStream && {
      stream: imageStream(
        imageFrames({
          kind: 'image_edit',
          parsed,
          common: { created_at: nowSeconds(), ...described },
          imageOf,
          billOf,
          usageOf: (isFirst) => usageOf(1, isFirst),
        }),
      ),
    }),
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
