import { PromptTally } from '../../count/prompt-tally.js';
import { type Directives, stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, textOf } from '../../json/fields.js';
import type { Memory } from '../persona.js';
import { inputIsSensitive, invalidParameter, missingParameter } from './ark-errors.js';
import { seeImage } from './see-image.js';

/** The keywords that each model knows. */
const SIZES_OF_MODEL: Readonly<Record<string, readonly string[]>> = {
  'seedream-4-0-250828': ['1K', '2K', '4K'],
  'seedream-4-5-251128': ['2K', '4K'],
  'seedream-5-0-260128': ['2K', '3K', '4K'],
};
const SIDES: Readonly<Record<string, number>> = { '1K': 1_024, '2K': 2_048, '3K': 3_072, '4K': 4_096 };
const SIZE = /^(\d+)x(\d+)$/;
const AREA_AT_MOST = 4_096 * 4_096;
const WIDEST_RATIO = 16;
const REFERENCES_AT_MOST = 14;
const IMAGES_AT_MOST = 15;
/** How many pictures a story gets where the request names no number. */
const USUAL_SEQUENCE = 3;
const OF_OTHER_MODELS = ['seed', 'guidance_scale'];

export interface ImageTask {
  readonly directives: Directives;
  readonly text: string;
  readonly pictures: number;
  readonly width: number;
  readonly height: number;
  readonly isBase64: boolean;
  readonly isStream: boolean;
}

export const isKnownModel = (model: string): boolean => SIZES_OF_MODEL[model] !== undefined;

function readSize(size: unknown, model: string): { width: number; height: number } {
  const word = isAbsent(size) ? '2K' : textOf(size);
  if (SIZES_OF_MODEL[model]?.includes(word) === true) {
    const side = SIDES[word] ?? 0;
    return { width: side, height: side };
  }
  const [, width = 0, height = 0] = (SIZE.exec(word) ?? []).map(Number);
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (short === 0 || width * height > AREA_AT_MOST || long > WIDEST_RATIO * short) {
    throw invalidParameter('size', 'image size must be a keyword of the model or WIDTHxHEIGHT within its limits');
  }
  return { width, height };
}

function readReferences(image: unknown, memory: Memory): number {
  const urls = Array.isArray(image) ? image : isAbsent(image) ? [] : [image];
  if (urls.length > REFERENCES_AT_MOST) {
    throw invalidParameter('image', `the number of images must be at most ${REFERENCES_AT_MOST}`);
  }
  for (const url of urls) {
    seeImage(textOf(url), 'image', memory);
  }
  return urls.length;
}

function readPictures(request: Fields, references: number): number {
  if (request.sequential_image_generation !== 'auto') {
    return 1;
  }
  const left = IMAGES_AT_MOST - references;
  const asked = fieldsOf(request.sequential_image_generation_options).max_images;
  if (isAbsent(asked)) {
    return Math.min(USUAL_SEQUENCE, left);
  }
  if (!Number.isInteger(asked) || Number(asked) < 1 || Number(asked) > left) {
    throw invalidParameter('sequential_image_generation_options.max_images', `must be between 1 and ${left}`);
  }
  return Number(asked);
}

/** Reads and checks a request for pictures, in the vendor's words. */
export function readImageTask(request: Fields, model: string, memory: Memory): ImageTask {
  const { prompt } = request;
  if (typeof prompt !== 'string' || prompt === '') {
    throw missingParameter('prompt');
  }
  const foreign = OF_OTHER_MODELS.find((name) => !isAbsent(request[name]));
  if (foreign !== undefined) {
    throw invalidParameter(foreign, 'is not supported by the current model');
  }
  if (!isAbsent(request.response_format) && !['url', 'b64_json'].includes(textOf(request.response_format))) {
    throw invalidParameter('response_format', 'must be url or b64_json');
  }
  const references = readReferences(request.image, memory);
  const tally = new PromptTally();
  tally.addText(prompt);
  const directives = memory.repeats.inForce('ark', tally.directed);
  if (directives.isBlocked === true) {
    throw inputIsSensitive();
  }
  return {
    directives,
    text: stripDirectives(prompt),
    pictures: readPictures(request, references),
    ...readSize(request.size, model),
    isBase64: request.response_format === 'b64_json',
    isStream: request.stream === true,
  };
}
