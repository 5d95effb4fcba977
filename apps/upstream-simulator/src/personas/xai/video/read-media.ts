import { type Fields, isAbsent, isFields, listOf, textOf } from '../../../json/fields.js';
import { lookAtAddress, lookAtImage } from '../../../picture/look-at-image.js';
import type { Video } from '../../../video/video.js';
import type { Memory } from '../../persona.js';
import { invalidArgument, notDeserialized } from '../xai-errors.js';
import type { VideoModel } from './video-models.js';

const MOST_REFERENCES = 7;
const MOST_VOICES = 3;
const VOICES = ['ara', 'eve', 'leo', 'rex', 'sal'];

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Pictures {
  /** Images that go in, of whatever kind. */
  readonly count: number;
  readonly hasReferences: boolean;
  /** Of the first frame, if it can be seen. */
  readonly frame: Size | undefined;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'sequence' : typeof value);

/** `{url}` or `{file_id}`; the address, or '' for a file. */
function addressOf(value: unknown, name: string): string {
  if (!isFields(value)) {
    throw notDeserialized(`${name}: invalid type: ${typeOf(value)}, expected a map`);
  }
  if (textOf(value.url) === '' && textOf(value.file_id) === '') {
    throw notDeserialized(`${name}: missing field \`url\``);
  }
  return textOf(value.url);
}

function seeImage(value: unknown, name: string, memory: Memory): Size | undefined {
  const url = addressOf(value, name);
  if (url === '') {
    return undefined;
  }
  const seen = lookAtImage(url, memory.results);
  if (seen.kind === 'unreachable' || seen.kind === 'broken') {
    throw invalidArgument('Failed to fetch or decode the image.');
  }
  return seen.kind === 'seen' ? { width: seen.width, height: seen.height } : undefined;
}

/** The first frame, or the references; never both. */
export function readPictures(request: Fields, memory: Memory): Pictures {
  const { image, reference_images: references } = request;
  if (!isAbsent(references) && !Array.isArray(references)) {
    throw notDeserialized(`reference_images: invalid type: ${typeOf(references)}, expected a sequence`);
  }
  const given = listOf(references);
  if (given.length > MOST_REFERENCES) {
    throw invalidArgument(`At most ${MOST_REFERENCES} reference images are supported.`);
  }
  if (given.length > 0 && !isAbsent(image)) {
    throw invalidArgument('reference_images cannot be combined with image.');
  }
  for (const reference of given) {
    seeImage(reference, 'reference_images', memory);
  }
  const frame = isAbsent(image) ? undefined : seeImage(image, 'image', memory);
  return { count: given.length + (isAbsent(image) ? 0 : 1), hasReferences: given.length > 0, frame };
}

export function checkVoices(request: Fields, model: VideoModel): void {
  const { reference_audios: audios } = request;
  if (isAbsent(audios)) {
    return;
  }
  const voices = listOf(audios);
  if (!model.hasVoices) {
    throw invalidArgument('Argument not supported: reference_audios');
  }
  if (voices.length > MOST_VOICES) {
    throw invalidArgument(`At most ${MOST_VOICES} reference audios are supported.`);
  }
  for (const voice of voices) {
    const id = isFields(voice) ? textOf(voice.voice_id) : '';
    if (!VOICES.includes(id)) {
      throw invalidArgument(`Unknown voice_id: ${id}. Available voices: ${VOICES.join(', ')}.`);
    }
  }
}

/** The video that is to be changed; undefined for one of the world, whose length nobody here knows. */
export function readSource(request: Fields, memory: Memory): Video | undefined {
  if (isAbsent(request.video)) {
    throw notDeserialized('missing field `video`');
  }
  const url = addressOf(request.video, 'video');
  if (url === '') {
    return undefined;
  }
  const result = memory.results.at(url);
  const isLost = memory.results.owns(url) ? result?.format !== 'mp4' : lookAtAddress(url) !== 'unseen';
  if (isLost) {
    throw invalidArgument('Failed to fetch or decode the video.');
  }
  return result?.format === 'mp4' ? result : undefined;
}
