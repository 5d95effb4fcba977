import { PromptTally } from '../../count/prompt-tally.js';
import { type Directives, stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, isFields, textOf } from '../../json/fields.js';
import { fitRatio } from '../../picture/fit-ratio.js';
import { lookAtImage, type SeenImage } from '../../picture/look-at-image.js';
import type { Memory } from '../persona.js';
import type { ImageModel } from './image-models.js';
import { nativeInvalidParameter, refuseNative } from './native-errors.js';

const LARGEST_SEED = 2_147_483_647;
const SIZE = /^(\d+)\*(\d+)$/;
const EDIT_SIDE = 1_024;

export interface ImageTask {
  readonly directives: Directives;
  readonly text: string;
  readonly pictures: number;
  readonly width: number;
  readonly height: number;
}

interface Prompt {
  readonly texts: readonly string[];
  readonly images: readonly SeenImage[];
}

function seeImage(url: string, memory: Memory): SeenImage {
  const seen = lookAtImage(url, memory.results);
  if (seen.kind === 'unreachable') {
    throw nativeInvalidParameter('download image failed');
  }
  if (seen.kind === 'broken') {
    throw refuseNative(
      400,
      'InvalidImage.FileFormat',
      'Invalid image type. Please ensure the uploaded file is a valid image.',
    );
  }
  return seen;
}

function readPrompt(request: Fields, memory: Memory): Prompt {
  const { messages } = fieldsOf(request.input);
  if (!Array.isArray(messages)) {
    throw nativeInvalidParameter('Field required: input.messages');
  }
  if (messages.length !== 1) {
    throw nativeInvalidParameter('messages length only support 1');
  }
  const message = fieldsOf(messages[0]);
  if (message.role !== 'user' || !Array.isArray(message.content)) {
    throw nativeInvalidParameter('Field required: input.messages.content');
  }
  const parts = message.content.filter(isFields);
  return {
    texts: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    images: parts.flatMap(({ image }) => (typeof image === 'string' ? [seeImage(image, memory)] : [])),
  };
}

function checkPrompt({ texts, images }: Prompt, model: ImageModel): void {
  if (texts.length === 0 || texts[0] === '' || images.length < model.images.least) {
    throw nativeInvalidParameter('lack of image or text');
  }
  if (texts.length > 1 || images.length > model.images.most) {
    throw nativeInvalidParameter(`content length only support ${model.images.most + 1}`);
  }
}

function checkParameters(parameters: Fields, model: ImageModel): void {
  const { n, seed } = parameters;
  if (!isAbsent(n) && !(Number.isInteger(n) && Number(n) >= 1 && Number(n) <= model.mostPictures)) {
    throw nativeInvalidParameter(
      model.mostPictures === 1 ? 'num_images_per_prompt must be 1.' : `Range of n should be [1, ${model.mostPictures}]`,
    );
  }
  if (!isAbsent(seed) && !(Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= LARGEST_SEED)) {
    throw nativeInvalidParameter(`Range of seed should be [0, ${LARGEST_SEED}]`);
  }
  for (const name of ['watermark', 'prompt_extend']) {
    if (!isAbsent(parameters[name]) && typeof parameters[name] !== 'boolean') {
      throw nativeInvalidParameter(`${name} must be a boolean.`);
    }
  }
}

function readSize(
  parameters: Fields,
  model: ImageModel,
  images: readonly SeenImage[],
): { width: number; height: number } {
  const last = images.at(-1);
  if (isAbsent(parameters.size) && last?.kind === 'seen') {
    return fitRatio(`${last.width}:${last.height}`, EDIT_SIDE);
  }
  if (!isAbsent(parameters.size) && model.size === null) {
    throw nativeInvalidParameter('size is not supported by this model.');
  }
  const [, width = 0, height = 0] = (SIZE.exec(textOf(parameters.size ?? model.defaultSize)) ?? []).map(Number);
  if (width === 0 || height === 0) {
    throw nativeInvalidParameter("The size does not match the expected format. Expected format: '<width>*<height>'");
  }
  if (model.size?.isLegal(width, height) === false) {
    throw nativeInvalidParameter(`The size is not valid: ${model.size.words}.`);
  }
  return { width, height };
}

/** Reads and checks a request for pictures. Fields that it does not know, it ignores, as the vendor does. */
export function readImageTask(request: Fields, model: ImageModel, memory: Memory): ImageTask {
  const prompt = readPrompt(request, memory);
  checkPrompt(prompt, model);
  const parameters = fieldsOf(request.parameters);
  checkParameters(parameters, model);
  const tally = new PromptTally();
  for (const text of prompt.texts) {
    tally.addText(text);
  }
  const directives = memory.repeats.inForce('dashscope', tally.directed);
  if (directives.isBlocked === true) {
    throw refuseNative(400, 'DataInspectionFailed', 'Input data may contain inappropriate content.');
  }
  return {
    directives,
    text: stripDirectives(prompt.texts[0] ?? ''),
    pictures: typeof parameters.n === 'number' ? parameters.n : 1,
    ...readSize(parameters, model, prompt.images),
  };
}
