import { type InvoiceUsage, invoiceOf, PromptTally, tokensOfQuarters } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type GeneratedImage, renderImage } from '../../media/image.js';
import { type ImageSize, readImageSize } from '../../media/image-size.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import {
  invalid,
  missing,
  openAiHeaders,
  refuse,
  retiredModel,
  unknownModel,
  unknownParameter,
} from './openai-errors.js';
import { findImageModel, type ImageModel, readImageRequest, tokensOfImage } from './read-image-request.js';

interface FormPart {
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  readonly content: Buffer;
}

const BOUNDARY = /^multipart\/form-data;.*boundary="?([^";]+)"?/i;
const NAME = /[; ]name="([^"]*)"/i;
const FILENAME = /[; ]filename="([^"]*)"/i;
const HEAD_END = Buffer.from('\r\n\r\n');

function readForm(contentType: string | undefined, body: Buffer): FormPart[] {
  const boundary = BOUNDARY.exec(contentType ?? '')?.[1];
  if (boundary === undefined) throw invalid("Invalid content type: expected 'multipart/form-data' with a boundary.");
  const mark = Buffer.from(`--${boundary}`);
  const between = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  let start = body.indexOf(mark);
  while (start !== -1 && body.toString('latin1', start + mark.length, start + mark.length + 2) === '\r\n') {
    const headEnd = body.indexOf(HEAD_END, start);
    const end = body.indexOf(between, headEnd);
    if (headEnd === -1 || end === -1) throw invalid('Could not parse multipart form.');
    const head = body.toString('utf8', start + mark.length, headEnd);
    const content = body.subarray(headEnd + HEAD_END.length, end);
    parts.push({ name: NAME.exec(head)?.[1] ?? '', filename: FILENAME.exec(head)?.[1], content });
    start = end + 2;
  }
  if (start === -1) throw invalid('Could not parse multipart form.');
  return parts;
}

const MAX_REFERENCES = 16;
const MAX_LEGACY_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 50 * 1024 * 1024;
const FORMATS = ['png', 'jpeg', 'webp'];
const ALPHA_COLOR_TYPES = [4, 6];
const COLOR_TYPE_AT = 25;

const userError = (message: string, param: string, code: string) =>
  refuse(400, { message, type: 'image_generation_user_error', param, code });

const readInputSize = (content: Buffer, index: number): ImageSize => {
  const size = readImageSize(content);
  if (size === undefined || !FORMATS.includes(size.format)) {
    throw userError(
      `Invalid image file or mode for image ${index + 1}, please check your image file.`,
      'image',
      'invalid_image_file',
    );
  }
  return size;
};

function checkMask(mask: FormPart, first: ImageSize): void {
  const size = readImageSize(mask.content);
  if (size?.format !== 'png' || !ALPHA_COLOR_TYPES.includes(mask.content[COLOR_TYPE_AT] ?? 0)) {
    throw userError('Invalid mask image format - mask needs an alpha channel', 'mask', 'invalid_mask_image_format');
  }
  if (size.width !== first.width || size.height !== first.height) {
    throw userError(
      'Invalid mask image format - mask size does not match image size',
      'mask',
      'invalid_mask_image_format',
    );
  }
}

/** Returns the number of reference images. */
function readEditFiles(parts: readonly FormPart[], isLegacy: boolean): number {
  const files = parts.filter(({ filename }) => filename !== undefined);
  const images = files.filter(({ name }) => name === 'image' || name === 'image[]');
  const [first] = images;
  if (first === undefined) throw missing('image');
  if (images.filter(({ name }) => name === 'image').length > 1) {
    throw invalid(
      "Duplicate parameter: 'image'. You provided multiple values for this parameter, whereas only one is allowed. If you are trying to provide a list of values, use the array syntax instead e.g. 'image[]=<value>'.",
      'image',
      'duplicate_parameter',
    );
  }
  if (images.length > (isLegacy ? 1 : MAX_REFERENCES)) {
    throw invalid(`Too many images: ${images.length}.`, 'image', 'array_above_max_length');
  }
  if (images.some(({ content }) => content.length >= (isLegacy ? MAX_LEGACY_BYTES : MAX_BYTES))) {
    throw invalid('Uploaded image must be a PNG and less than 4 MB.', 'image');
  }
  const [size] = images.map(({ content }, index) => readInputSize(content, index));
  if (isLegacy && (size?.format !== 'png' || size.width !== size.height)) {
    throw invalid('Uploaded image must be a square PNG and less than 4 MB.', 'image');
  }
  const mask = files.find(({ name }) => name === 'mask');
  if (mask !== undefined && size !== undefined) checkMask(mask, size);
  return images.length;
}

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

function checkLegacy(texts: Texts): { n: number; size: string } {
  const unknown = Object.keys(texts).find((name) => !LEGACY_FIELDS.has(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
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
  if (memory.calendar.isRetired('openai', name)) throw retiredModel(name);
  return editImages(model, parts, memory);
};

export const imageEditsRoute: Route = {
  method: 'POST',
  path: '/v1/images/edits',
  protocol: 'openai-image-edits',
  handle,
};
