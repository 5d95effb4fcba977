import { type InvoiceUsage, invoiceOf, PromptTally, tokensOfBytes } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type GeneratedImage, renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import { invalid, openAiHeaders, unknownModel } from './openai-errors.js';
import { type FormPart, readEditFiles, readForm } from './read-edit-files.js';
import { findImageModel, type ImageModel, readImageRequest, tokensOfImage } from './read-image-request.js';

/** Billed tokens of a reference image of any size. */
const REFERENCE_TOKENS = 194;
const LEGACY_MODEL = 'dall-e-2';
const LEGACY_FIELDS = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'user']);
const LEGACY_SIZES = ['256x256', '512x512', '1024x1024'];
const LEGACY_PROMPT = 1_000;
const MAX_IMAGES = 10;
type Texts = Readonly<Record<string, string>>;

const textsOf = (parts: readonly FormPart[]): Texts =>
  Object.fromEntries(
    parts
      .filter(({ filename }) => filename === undefined)
      .map(({ name, content }) => [name, content.toString('utf8')] as const),
  );

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
  const textIn = tokensOfBytes(parsed.promptBytes);
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

function checkLegacy(texts: Texts): { n: number; size: string } {
  const unknown = Object.keys(texts).find((name) => !LEGACY_FIELDS.has(name));
  if (unknown !== undefined) throw invalid(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  const { prompt = '', n = '1', size = '1024x1024', response_format: format = 'url' } = texts;
  if (prompt === '' || prompt.length > LEGACY_PROMPT) {
    throw invalid("Invalid 'prompt': expected 1 to 1000 characters.", 'prompt');
  }
  const imageCount = Number(n);
  if (!Number.isInteger(imageCount) || imageCount < 1 || imageCount > MAX_IMAGES) {
    throw invalid("Invalid 'n': expected an integer from 1 to 10.", 'n');
  }
  if (!LEGACY_SIZES.includes(size)) {
    throw invalid(`'${size}' is not one of ${JSON.stringify(LEGACY_SIZES)} - 'size'`, 'size', 'invalid_value');
  }
  if (format !== 'url' && format !== 'b64_json') {
    throw invalid(`'${format}' is not one of ['b64_json', 'url'] - 'response_format'`, 'response_format');
  }
  return { n: imageCount, size };
}

function editLegacyImages(parts: readonly FormPart[], memory: Memory, host: string | undefined): RenderedReply {
  const texts = textsOf(parts);
  const { n, size } = checkLegacy(texts);
  readEditFiles(parts, true);
  const tally = new PromptTally(texts.prompt ?? '');
  const side = Number(size.split('x', 1)[0]);
  const image: GeneratedImage = { text: stripDirectives(texts.prompt ?? ''), width: side, height: side, format: 'png' };
  const bill: InvoiceUsage = invoiceOf({ [`image_${side}`]: n });
  const entry = (): object =>
    texts.response_format === 'b64_json'
      ? { b64_json: renderImage(image).toString('base64') }
      : { url: memory.results.put(image, host) };
  return {
    kind: 'rendered',
    directives: memory.repeats.activeDirectives('openai', tally.directed),
    headers: openAiHeaders(),
    usage: bill,
    whole: () => JSON.stringify({ created: nowSeconds(), data: Array.from({ length: n }, entry) }),
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
  return editImages(model, parts, memory);
};

export const imageEditsRoute: Route = {
  method: 'POST',
  path: '/v1/images/edits',
  protocol: 'openai-image-edits',
  handle,
};
