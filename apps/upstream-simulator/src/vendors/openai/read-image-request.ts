import { PromptTally } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, isAbsent, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { findById } from '../vendor-ids.js';
import { checkBounds, invalid, invalidType, invalidValue, missing, refuse, unknownParameter } from './openai-errors.js';

export interface ImageModel {
  readonly id: string;
  readonly supportsCustomSizes: boolean;
  /** Output tokens of 1024×1024; other sizes in proportion. */
  readonly tokens: Readonly<Record<string, number>>;
}

export const IMAGE_MODELS: readonly ImageModel[] = [
  { id: 'gpt-image-2', supportsCustomSizes: true, tokens: { low: 200, medium: 1_767, high: 7_034 } },
  { id: 'gpt-image-1.5', supportsCustomSizes: false, tokens: { low: 282, medium: 1_250, high: 6_250 } },
  { id: 'gpt-image-1', supportsCustomSizes: false, tokens: { low: 272, medium: 1_056, high: 4_160 } },
];

export const findImageModel = findById(IMAGE_MODELS);
const REFERENCE_AREA = 1_024 * 1_024;

export const tokensOfImage = (model: ImageModel, quality: string, width: number, height: number): number =>
  Math.ceil(((model.tokens[quality] ?? 0) * width * height) / REFERENCE_AREA);

const KNOWN = new Set(
  'prompt model n size quality background output_format output_compression moderation stream partial_images user safety_identifier'.split(
    ' ',
  ),
);
const FIXED_SIZES = ['1024x1024', '1024x1536', '1536x1024', 'auto'];
const MAX_PROMPT_CHARACTERS = 32_000;
const SIZE = /^(\d+)x(\d+)$/;
const SIDE_STEP = 16;
const MAX_SIDE = 3_840;
const MAX_RATIO = 3;
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

function oneOf<const Word extends string>(request: Fields, param: string, words: readonly Word[], fallback: Word) {
  const value = request[param];
  if (isAbsent(value)) return fallback;
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalidValue(param, value, quoted(words));
  return word;
}

function wholeNumber(request: Fields, param: string, min: number, max: number, fallback: number): number {
  const value = request[param];
  if (isAbsent(value)) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidType(param, 'expected an integer');
  checkBounds('integer', param, value, min, max);
  return value;
}

function readPrompt(request: Fields): string {
  const { prompt } = request;
  if (typeof prompt !== 'string' || prompt === '') throw missing('prompt');
  if (prompt.length > MAX_PROMPT_CHARACTERS) {
    throw invalid(
      `Invalid 'prompt': string too long. Expected a string with maximum length ${MAX_PROMPT_CHARACTERS}, but got a string with length ${prompt.length} instead.`,
      'prompt',
      'string_above_max_length',
    );
  }
  return prompt;
}

function readSize(request: Fields, model: ImageModel): { width: number; height: number } {
  const size = isAbsent(request.size) || request.size === 'auto' ? '1024x1024' : textOf(request.size);
  const [, width = 0, height = 0] = (SIZE.exec(size) ?? []).map(Number);
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const isFree =
    model.supportsCustomSizes &&
    short > 0 &&
    width % SIDE_STEP === 0 &&
    height % SIDE_STEP === 0 &&
    long <= MAX_SIDE &&
    long <= short * MAX_RATIO;
  if (!isFree && !FIXED_SIZES.includes(size)) throw invalidValue('size', request.size, quoted(FIXED_SIZES));
  return { width, height };
}

export function readImageRequest(request: Fields, model: ImageModel, memory: Memory) {
  const unknown = Object.keys(request).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
  const prompt = readPrompt(request);
  const quality = oneOf(request, 'quality', ['low', 'medium', 'high', 'auto'], 'auto');
  const background = oneOf(request, 'background', ['transparent', 'opaque', 'auto'], 'auto');
  const format = oneOf(request, 'output_format', ['png', 'webp', 'jpeg'], 'png');
  oneOf(request, 'moderation', ['auto', 'low'], 'auto');
  const compression = wholeNumber(request, 'output_compression', 0, 100, 100);
  if (compression < 100 && format === 'png') {
    throw invalid('Compression less than 100 is not supported for PNG output format', 'output_compression');
  }
  if (background === 'transparent' && format === 'jpeg') {
    throw invalid('Transparent background is not supported for JPEG output format', 'background');
  }
  const tally = new PromptTally(prompt);
  const directives = memory.repeats.activeDirectives('openai', tally.directed);
  if (directives.isBlocked === true) {
    throw refuse(400, {
      message:
        'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_1. safety_violations=[sexual].',
      type: 'image_generation_user_error',
      code: 'moderation_blocked',
    });
  }
  return {
    directives,
    text: stripDirectives(prompt),
    promptQuarters: tally.textQuarters,
    n: wholeNumber(request, 'n', 1, 10, 1),
    ...readSize(request, model),
    quality: quality === 'auto' ? 'medium' : quality,
    background: background === 'transparent' ? 'transparent' : 'opaque',
    format,
    isStream: request.stream === true,
    partials: wholeNumber(request, 'partial_images', 0, 3, 0),
  };
}

export type ImageRequest = ReturnType<typeof readImageRequest>;
