import { invoiceOf, PromptTally } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, isFields, textOf } from '../../json/fields.js';
import { fitRatio } from '../../media/image-size.js';
import { type ImageInspection, inspectImage } from '../../media/inspect-image.js';
import type { IncomingRequest, Memory, RenderedReply } from '../vendor-emulator.js';
import { findById, newUuid } from '../vendor-ids.js';
import type { ModelFamily } from './model-family.js';
import { invalid, nativeHeaders, refuse } from './native-errors.js';

/** An image model with its documented limits. */
interface ImageModel {
  readonly id: string;
  readonly images: { readonly min: number; readonly max: number };
  readonly maxImages: number;
  readonly defaultSize: string;
  /** Null: `size` is not supported. */
  readonly size: { readonly isLegal: (width: number, height: number) => boolean; readonly words: string } | null;
}

const SMALLEST = 512;
const LARGEST = 2_048;

const BY_AREA = {
  isLegal: (width: number, height: number) => width * height >= SMALLEST ** 2 && width * height <= LARGEST ** 2,
  words: 'total pixels should be between 512*512 and 2048*2048',
};
const BY_SIDE = {
  isLegal: (width: number, height: number) => [width, height].every((side) => side >= SMALLEST && side <= LARGEST),
  words: 'width and height should be between 512 and 2048',
};
const TEXT_ONLY = { min: 0, max: 0 };
const EITHER = { min: 0, max: 3 };
const EDITING = { min: 1, max: 3 };

const row = (
  id: string,
  images: ImageModel['images'],
  maxImages: number,
  defaultSize: string,
  size: ImageModel['size'],
): ImageModel => ({ id, images, maxImages, defaultSize, size });

const MODELS: readonly ImageModel[] = [
  row('qwen-image-2.0', EITHER, 6, '2048*2048', BY_AREA),
  row('qwen-image-2.0-pro', EITHER, 6, '2048*2048', BY_AREA),
  row('qwen-image-max', TEXT_ONLY, 1, '1664*928', BY_SIDE),
  row('qwen-image-edit', EDITING, 1, '1024*1024', null),
  row('qwen-image-edit-plus', EDITING, 6, '1024*1024', BY_SIDE),
  row('qwen-image-edit-max', EDITING, 6, '1024*1024', BY_SIDE),
];

const findImageModel = findById(MODELS);
const MAX_SEED = 2_147_483_647;
const SIZE = /^(\d+)\*(\d+)$/;
const EDIT_SIDE = 1_024;
type Prompt = Readonly<{ texts: readonly string[]; images: readonly ImageInspection[] }>;

function inspectInputImage(url: string, memory: Memory): ImageInspection {
  const inspection = inspectImage(url, memory.results);
  if (inspection.kind === 'unreachable') throw invalid('download image failed');
  if (inspection.kind === 'broken') {
    throw refuse(
      400,
      'InvalidImage.FileFormat',
      'Invalid image type. Please ensure the uploaded file is a valid image.',
    );
  }
  return inspection;
}

function readPrompt(request: Fields, memory: Memory): Prompt {
  const { messages } = fieldsOf(request.input);
  if (!Array.isArray(messages)) throw invalid('Field required: input.messages');
  if (messages.length !== 1) throw invalid('messages length only support 1');
  const message = fieldsOf(messages[0]);
  if (message.role !== 'user' || !Array.isArray(message.content)) {
    throw invalid('Field required: input.messages.content');
  }
  const parts = message.content.filter(isFields);
  return {
    texts: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    images: parts.flatMap(({ image }) => (typeof image === 'string' ? [inspectInputImage(image, memory)] : [])),
  };
}

function checkPrompt({ texts, images }: Prompt, model: ImageModel): void {
  if (texts.length === 0 || texts[0] === '' || images.length < model.images.min) throw invalid('lack of image or text');
  if (texts.length > 1 || images.length > model.images.max) {
    throw invalid(`content length only support ${model.images.max + 1}`);
  }
}

function checkParameters(parameters: Fields, model: ImageModel): void {
  const { n, seed } = parameters;
  if (!isAbsent(n) && !(Number.isInteger(n) && Number(n) >= 1 && Number(n) <= model.maxImages)) {
    throw invalid(
      model.maxImages === 1 ? 'num_images_per_prompt must be 1.' : `Range of n should be [1, ${model.maxImages}]`,
    );
  }
  if (!isAbsent(seed) && !(Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= MAX_SEED)) {
    throw invalid(`Range of seed should be [0, ${MAX_SEED}]`);
  }
  for (const name of ['watermark', 'prompt_extend']) {
    if (!isAbsent(parameters[name]) && typeof parameters[name] !== 'boolean') {
      throw invalid(`${name} must be a boolean.`);
    }
  }
}

function readSize(parameters: Fields, model: ImageModel, images: readonly ImageInspection[]) {
  const last = images.at(-1);
  if (isAbsent(parameters.size) && last?.kind === 'readable') {
    return fitRatio(`${last.width}:${last.height}`, EDIT_SIDE);
  }
  if (!isAbsent(parameters.size) && model.size === null) throw invalid('size is not supported by this model.');
  const [, width = 0, height = 0] = (SIZE.exec(textOf(parameters.size ?? model.defaultSize)) ?? []).map(Number);
  if (width === 0 || height === 0) {
    throw invalid("The size does not match the expected format. Expected format: '<width>*<height>'");
  }
  if (model.size?.isLegal(width, height) === false) throw invalid(`The size is not valid: ${model.size.words}.`);
  return { width, height };
}

/** Reads a request. The vendor ignores unknown fields, so they pass. */
function readImageRequest(request: Fields, model: ImageModel, memory: Memory) {
  const prompt = readPrompt(request, memory);
  checkPrompt(prompt, model);
  const parameters = fieldsOf(request.parameters);
  checkParameters(parameters, model);
  const tally = new PromptTally(...prompt.texts);
  const directives = memory.repeats.activeDirectives('dashscope', tally.directed);
  if (directives.isBlocked === true) {
    throw refuse(400, 'DataInspectionFailed', 'Input data may contain inappropriate content.');
  }
  return {
    directives,
    text: stripDirectives(prompt.texts[0] ?? ''),
    imageCount: typeof parameters.n === 'number' ? parameters.n : 1,
    ...readSize(parameters, model, prompt.images),
  };
}

type ImageRequest = ReturnType<typeof readImageRequest>;

/** The model whose responses report `task_metric`. */
const REPORTS_TASKS = 'qwen-image-max';

const body = (requestId: string, model: ImageModel, parsed: ImageRequest, urls: readonly string[]): string =>
  JSON.stringify({
    request_id: requestId,
    output: {
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: urls.map((image) => ({ image })) } }],
      ...(model.id === REPORTS_TASKS && { task_metric: { TOTAL: 1, SUCCEEDED: 1, FAILED: 0 } }),
    },
    ...(parsed.directives.hidesUsage !== true && {
      usage: { image_count: urls.length, width: parsed.width, height: parsed.height },
    }),
  });

const handle = (request: Fields, incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const model = findImageModel(textOf(request.model)) as ImageModel;
  const parsed = readImageRequest(request, model, memory);
  const requestId = newUuid();
  incoming.record.upstreamId = requestId;
  const { text, width, height, imageCount } = parsed;
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: nativeHeaders(requestId),
    usage: invoiceOf({ image: imageCount }),
    whole: () => {
      const image = { text, width, height, format: 'png' } as const;
      const urls = Array.from({ length: imageCount }, () => memory.results.put(image, incoming.headers.host));
      return body(requestId, model, parsed, urls);
    },
  };
};

/** Images over the native interface, as addresses. */
export const imageGeneration: ModelFamily = { has: (model) => findImageModel(model) !== undefined, handle };
