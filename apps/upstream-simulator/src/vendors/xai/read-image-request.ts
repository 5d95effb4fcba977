import { PromptTally } from '../../count/prompt-tally.js';
import { type Directives, stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, isFields, listOf, textOf } from '../../json/fields.js';
import { fitRatio } from '../../media/fit-ratio.js';
import { inspectImage } from '../../media/inspect-image.js';
import type { Memory } from '../vendor-emulator.js';
import type { ImageModel } from './image-models.js';
import { oneOf } from './one-of.js';
import { invalidArgument, notDeserialized } from './xai-errors.js';

const RATIOS = '1:1 3:4 4:3 9:16 16:9 2:3 3:2 9:19.5 19.5:9 9:20 20:9 1:2 2:1 auto'.split(' ');
const SIDES: Readonly<Record<string, number>> = { '1k': 1_024, '1.5k': 1_536, '2k': 2_048 };
const MAX_IMAGES = 10;
const MAX_REFERENCES = 5;

export interface ImageRequest {
  readonly directives: Directives;
  readonly text: string;
  readonly imageCount: number;
  readonly references: number;
  readonly resolution: string;
  readonly quality: string;
  readonly width: number;
  readonly height: number;
  readonly isBase64: boolean;
}

function readReferences(request: Fields, memory: Memory): number {
  const given = isAbsent(request.images) ? [request.image] : listOf(request.images);
  const references = given.filter((one) => !isAbsent(one));
  if (references.length > MAX_REFERENCES) throw invalidArgument(`At most ${MAX_REFERENCES} images are supported.`);
  for (const reference of references) {
    if (!isFields(reference) || textOf(reference.url) === '') throw notDeserialized('image: missing field `url`');
    const { kind } = inspectImage(textOf(fieldsOf(reference).url), memory.results);
    if (kind === 'unreachable' || kind === 'broken') throw invalidArgument('Failed to fetch or decode the image.');
  }
  return references.length;
}

function readImageCount(n: unknown): number {
  if (isAbsent(n)) return 1;
  if (typeof n !== 'number' || !Number.isInteger(n)) throw notDeserialized('n: invalid type, expected u32');
  if (n < 1 || n > MAX_IMAGES) throw invalidArgument(`n must be between 1 and ${MAX_IMAGES}.`);
  return n;
}

/** Reads and checks a request for pictures, in the vendor's words. */
export function readImageRequest(request: Fields, model: ImageModel, memory: Memory): ImageRequest {
  const unsupported = ['size', ...(model.hasQuality ? [] : ['quality'])].find((name) => !isAbsent(request[name]));
  if (unsupported !== undefined) throw invalidArgument(`Argument not supported: ${unsupported}`);
  const { prompt } = request;
  if (typeof prompt !== 'string' || prompt === '') throw notDeserialized('missing field `prompt`');
  const resolution = oneOf(request, 'resolution', model.resolutions, '1k');
  const ratio = oneOf(request, 'aspect_ratio', RATIOS, '1:1');
  const tally = new PromptTally();
  tally.addText(prompt);
  const directives = memory.repeats.activeDirectives('xai', tally.directed);
  if (directives.isBlocked === true) throw invalidArgument('Generated image rejected by content moderation.');
  return {
    directives,
    text: stripDirectives(prompt),
    imageCount: readImageCount(request.n),
    references: readReferences(request, memory),
    resolution,
    quality: oneOf(request, 'quality', ['low', 'medium'], 'medium'),
    ...fitRatio(ratio === 'auto' ? '1:1' : ratio, SIDES[resolution] ?? 0),
    isBase64: oneOf(request, 'response_format', ['url', 'b64_json'], 'url') === 'b64_json',
  };
}
