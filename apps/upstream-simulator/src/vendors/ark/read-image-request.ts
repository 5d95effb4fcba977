import { PromptTally } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { inputIsSensitive, inspectInputImage, invalid, missing } from './ark-errors.js';

/** Size keywords by model. */
const SIZES_OF_MODEL: Readonly<Record<string, readonly string[]>> = {
  'seedream-4-0-250828': ['1K', '2K', '4K'],
  'seedream-4-5-251128': ['2K', '4K'],
  'seedream-5-0-260128': ['2K', '3K', '4K'],
};
const SIDES: Readonly<Record<string, number>> = { '1K': 1_024, '2K': 2_048, '3K': 3_072, '4K': 4_096 };
const SIZE = /^(\d+)x(\d+)$/;
const MAX_AREA = 4_096 * 4_096;
const MAX_RATIO = 16;
const MAX_REFERENCES = 14;
const MAX_IMAGES = 15;
/** Images of a sequence without `max_images`. */
const DEFAULT_SEQUENCE = 3;
const OF_OTHER_MODELS = ['seed', 'guidance_scale'];

export const isKnownModel = (model: string): boolean => SIZES_OF_MODEL[model] !== undefined;

function readSize(size: unknown, model: string): { width: number; height: number } {
  const word = isAbsent(size) ? '2K' : textOf(size);
  if (SIZES_OF_MODEL[model]?.includes(word) === true) {
    const side = SIDES[word] ?? 0;
    return { width: side, height: side };
  }
  const [, width = 0, height = 0] = (SIZE.exec(word) ?? []).map(Number);
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (short === 0 || width * height > MAX_AREA || long > MAX_RATIO * short) {
    throw invalid('size', 'image size must be a keyword of the model or WIDTHxHEIGHT within its limits');
  }
  return { width, height };
}

function readReferences(image: unknown, memory: Memory): number {
  const urls = Array.isArray(image) ? image : isAbsent(image) ? [] : [image];
  if (urls.length > MAX_REFERENCES) throw invalid('image', `the number of images must be at most ${MAX_REFERENCES}`);
  for (const url of urls) inspectInputImage(textOf(url), 'image', memory);
  return urls.length;
}

function readImageCount(request: Fields, references: number): number {
  if (request.sequential_image_generation !== 'auto') return 1;
  const left = MAX_IMAGES - references;
  const requested = fieldsOf(request.sequential_image_generation_options).max_images;
  if (isAbsent(requested)) return Math.min(DEFAULT_SEQUENCE, left);
  if (!Number.isInteger(requested) || Number(requested) < 1 || Number(requested) > left) {
    throw invalid('sequential_image_generation_options.max_images', `must be between 1 and ${left}`);
  }
  return Number(requested);
}

export function readImageRequest(request: Fields, model: string, memory: Memory) {
  const { prompt } = request;
  if (typeof prompt !== 'string' || prompt === '') throw missing('prompt');
  const unsupported = OF_OTHER_MODELS.find((name) => !isAbsent(request[name]));
  if (unsupported !== undefined) throw invalid(unsupported, 'is not supported by the current model');
  if (!isAbsent(request.response_format) && !['url', 'b64_json'].includes(textOf(request.response_format))) {
    throw invalid('response_format', 'must be url or b64_json');
  }
  const references = readReferences(request.image, memory);
  const tally = new PromptTally(prompt);
  const directives = memory.repeats.activeDirectives('ark', tally.directed);
  if (directives.isBlocked === true) throw inputIsSensitive();
  return {
    directives,
    text: stripDirectives(prompt),
    imageCount: readImageCount(request, references),
    ...readSize(request.size, model),
    isBase64: request.response_format === 'b64_json',
    isStream: request.stream === true,
  };
}

export type ImageRequest = ReturnType<typeof readImageRequest>;
