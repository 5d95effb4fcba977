import { type InvoiceUsage, invoiceOf, PromptTally } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type GeneratedImage, renderImage } from '../../media/image.js';
import type { Memory, RenderedReply } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import { invalid, openAiHeaders, unknownParameter } from './openai-errors.js';
import { readEditFiles } from './read-edit-files.js';
import { type FormPart, type Texts, textsOf } from './read-form.js';

export const LEGACY_MODEL = 'dall-e-2';
const LEGACY_FIELDS = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'user']);
const LEGACY_SIZES = ['256x256', '512x512', '1024x1024'];
const LEGACY_PROMPT = 1_000;
const MAX_IMAGES = 10;

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

/** The model that is billed by the image, in the unit of its size. */
export function editLegacyImages(parts: readonly FormPart[], memory: Memory, host: string | undefined): RenderedReply {
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
