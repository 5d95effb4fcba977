import { type InvoiceUsage, invoiceOf, PromptTally } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { type GeneratedImage, renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, ReplyFrame, Route } from '../vendor-emulator.js';
import { nowSeconds } from '../vendor-ids.js';
import {
  arkHeaders,
  errorBody,
  INTERNAL,
  inputIsSensitive,
  inspectInputImage,
  invalid,
  missing,
  parseBody,
  unknownModel,
} from './ark-errors.js';

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
export const SEEDREAM_MODELS: readonly string[] = Object.keys(SIZES_OF_MODEL);
const isKnownModel = (model: string): boolean => SIZES_OF_MODEL[model] !== undefined;

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

const SEARCHES = /^seedream-5-0-/;

/** Only the newest model searches the web before it draws. */
function readSearches(tools: unknown, model: string, requested = 1): number {
  const isSearch = listOf(tools).some((tool) => fieldsOf(tool).type === 'web_search');
  if (isSearch && !SEARCHES.test(model)) throw invalid('tools', 'is not supported by the current model');
  return isSearch ? requested : 0;
}

function readImageRequest(request: Fields, model: string, memory: Memory) {
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
    searches: readSearches(request.tools, model, directives.searches),
    ...readSize(request.size, model),
    isBase64: request.response_format === 'b64_json',
    isStream: request.stream === true,
  };
}

type ImageRequest = ReturnType<typeof readImageRequest>;
const DOTS_PER_TOKEN = 256;
const FAILURE = {
  code: 'OutputImageSensitiveContentDetected',
  message: 'The request failed because the output image may contain sensitive information.',
};

/** The images of one call; the first `failed_images` fail. */
class Sequence {
  readonly #failed: number;

  constructor(
    readonly model: string,
    readonly parsed: ImageRequest,
    private readonly memory: Memory,
    private readonly host: string | undefined,
  ) {
    this.#failed = Math.min(parsed.directives.failedImages ?? 0, parsed.imageCount);
  }

  hasFailed(index: number): boolean {
    return index < this.#failed;
  }

  entry(index: number): object {
    const { parsed } = this;
    if (this.hasFailed(index)) return { error: FAILURE };
    const text = parsed.imageCount === 1 ? parsed.text : `${parsed.text} ${index + 1}`;
    const { width, height, directives } = parsed;
    const image: GeneratedImage = { text, width, height, format: 'jpeg', minBytes: directives.imageBytes };
    const size = `${width}x${height}`;
    return parsed.isBase64
      ? { b64_json: renderImage(image).toString('base64'), size }
      : { url: this.memory.results.put(image, this.host), size };
  }

  /** The bill after the first `count` images. */
  bill(count: number): InvoiceUsage | null {
    const generated = Math.max(0, count - this.#failed);
    return generated === 0 ? null : invoiceOf({ image: generated, web_search: this.parsed.searches });
  }

  usage(): object {
    const { width, height, imageCount, searches } = this.parsed;
    const generated = imageCount - this.#failed;
    const tokens = Math.floor((generated * width * height) / DOTS_PER_TOKEN);
    const tools = searches === 0 ? {} : { tool_usage: { web_search: searches } };
    return { generated_images: generated, output_tokens: tokens, total_tokens: tokens, ...tools };
  }
}

const frame = (type: string, body: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;

function framesOf(sequence: Sequence): ReplyFrame[] {
  const common = { model: sequence.model, created: nowSeconds() };
  const frames: ReplyFrame[] = Array.from({ length: sequence.parsed.imageCount }, (_, index) => ({
    billed: sequence.bill(index + 1),
    text: () => {
      const type = sequence.hasFailed(index) ? 'partial_failed' : 'partial_succeeded';
      return frame(`image_generation.${type}`, { ...common, image_index: index, ...sequence.entry(index) });
    },
  }));
  const usage = sequence.parsed.directives.hidesUsage === true ? {} : { usage: sequence.usage() };
  return [
    ...frames,
    {
      billed: sequence.bill(sequence.parsed.imageCount),
      text: () => frame('image_generation.completed', { ...common, ...usage }),
    },
  ];
}

const whole = (sequence: Sequence): string =>
  JSON.stringify({
    model: sequence.model,
    created: nowSeconds(),
    data: Array.from({ length: sequence.parsed.imageCount }, (_, index) => sequence.entry(index)),
    ...(sequence.parsed.directives.hidesUsage !== true && { usage: sequence.usage() }),
  });

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseBody(incoming);
  const model = textOf(request.model);
  if (model === '') throw missing('model');
  incoming.record.model = model;
  if (!isKnownModel(model) || memory.calendar.isRetired('ark', model)) throw unknownModel(model);
  const parsed = readImageRequest(request, model, memory);
  const sequence = new Sequence(model, parsed, memory, incoming.headers.host);
  const headers = arkHeaders();
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers,
    usage: sequence.bill(parsed.imageCount),
    whole: () => whole(sequence),
    ...(parsed.isStream && {
      stream: {
        frames: framesOf(sequence),
        close: () => 'data: [DONE]\n\n',
        fail: () => `data: ${JSON.stringify(errorBody(INTERNAL, headers['x-request-id']))}\n\n`,
      },
    }),
  };
};

export const imagesRoute: Route = {
  method: 'POST',
  path: '/api/v3/images/generations',
  protocol: 'ark-images',
  handle,
};
