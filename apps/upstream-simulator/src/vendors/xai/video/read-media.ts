import { type Fields, isAbsent, isFields, listOf, textOf } from '../../../json/fields.js';
import { classifyAddress, inspectImage } from '../../../media/inspect-image.js';
import type { Video } from '../../../media/video.js';
import type { Memory } from '../../vendor-emulator.js';
import { invalid, unparsable } from '../xai-errors.js';

type Cents = number;

export interface VideoModel {
  readonly id: string;
  readonly resolutions: readonly string[];
  /** For requests with reference images. */
  readonly referenceResolutions: readonly string[];
  readonly maxSecondsWithReferences: number;
  readonly hasVoices: boolean;
  readonly centsOfSecond: Readonly<Record<string, Cents>>;
  readonly centsOfImage: Cents;
}

const TWO = ['480p', '720p'];

export const VIDEO_MODELS: readonly VideoModel[] = [
  {
    id: 'grok-imagine-video',
    resolutions: TWO,
    referenceResolutions: TWO,
    maxSecondsWithReferences: 10,
    hasVoices: false,
    centsOfSecond: { '480p': 5, '720p': 7 },
    centsOfImage: 0.2,
  },
  {
    id: 'grok-imagine-video-1.5',
    resolutions: [...TWO, '1080p'],
    referenceResolutions: TWO,
    maxSecondsWithReferences: 15,
    hasVoices: true,
    centsOfSecond: { '480p': 8, '720p': 14, '1080p': 25 },
    centsOfImage: 1,
  },
];

const ALIASES: Readonly<Record<string, string>> = { 'grok-imagine-video-1.5-preview': 'grok-imagine-video-1.5' };
const BY_NAME = new Map(VIDEO_MODELS.map((model) => [model.id, model]));

export const findVideoModel = (name: string): VideoModel | undefined =>
  BY_NAME.get(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? '') : name);

const MAX_REFERENCES = 7;
const MAX_VOICES = 3;
const VOICES = ['ara', 'eve', 'leo', 'rex', 'sal'];
export type Size = Readonly<{ width: number; height: number }>;

export interface InputImages {
  /** All input images. */
  readonly count: number;
  readonly hasReferences: boolean;
  /** Of the first frame; undefined for an external address. */
  readonly frame: Size | undefined;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'sequence' : typeof value);

/** The address of `{url}`; '' for `{file_id}`. */
function addressOf(value: unknown, name: string): string {
  if (!isFields(value)) throw unparsable(`${name}: invalid type: ${typeOf(value)}, expected a map`);
  if (textOf(value.url) === '' && textOf(value.file_id) === '') throw unparsable(`${name}: missing field \`url\``);
  return textOf(value.url);
}

function inspectInputImage(value: unknown, name: string, memory: Memory): Size | undefined {
  const url = addressOf(value, name);
  if (url === '') return undefined;
  const inspection = inspectImage(url, memory.results);
  if (inspection.kind === 'unreachable' || inspection.kind === 'broken') {
    throw invalid('Failed to fetch or decode the image.');
  }
  return inspection.kind === 'readable' ? { width: inspection.width, height: inspection.height } : undefined;
}

/** The first frame or the references, never both. */
export function readImageCount(request: Fields, memory: Memory): InputImages {
  const { image, reference_images: references } = request;
  if (!isAbsent(references) && !Array.isArray(references)) {
    throw unparsable(`reference_images: invalid type: ${typeOf(references)}, expected a sequence`);
  }
  const given = listOf(references);
  if (given.length > MAX_REFERENCES) throw invalid(`At most ${MAX_REFERENCES} reference images are supported.`);
  if (given.length > 0 && !isAbsent(image)) throw invalid('reference_images cannot be combined with image.');
  for (const reference of given) inspectInputImage(reference, 'reference_images', memory);
  const frame = isAbsent(image) ? undefined : inspectInputImage(image, 'image', memory);
  return { count: given.length + (isAbsent(image) ? 0 : 1), hasReferences: given.length > 0, frame };
}

export function checkVoices(request: Fields, model: VideoModel): void {
  const { reference_audios: audios } = request;
  if (isAbsent(audios)) return;
  const voices = listOf(audios);
  if (!model.hasVoices) throw invalid('Argument not supported: reference_audios');
  if (voices.length > MAX_VOICES) throw invalid(`At most ${MAX_VOICES} reference audios are supported.`);
  for (const voice of voices) {
    const id = isFields(voice) ? textOf(voice.voice_id) : '';
    if (!VOICES.includes(id)) throw invalid(`Unknown voice_id: ${id}. Available voices: ${VOICES.join(', ')}.`);
  }
}

/** The source video; undefined for an external one, whose length is unknown. */
export function readSource(request: Fields, memory: Memory): Video | undefined {
  if (isAbsent(request.video)) throw unparsable('missing field `video`');
  const url = addressOf(request.video, 'video');
  if (url === '') return undefined;
  const result = memory.results.at(url);
  const isLost = memory.results.owns(url) ? result?.format !== 'mp4' : classifyAddress(url) !== 'external';
  if (isLost) throw invalid('Failed to fetch or decode the video.');
  return result?.format === 'mp4' ? result : undefined;
}
