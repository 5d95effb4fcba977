import { type Fields, isAbsent, isFields, listOf, textOf } from '../../../json/fields.js';
import { classifyAddress, inspectImage } from '../../../media/inspect-image.js';
import type { ResultStore } from '../../../results/result-store.js';
import type { TaskFailure } from '../../../tasks/video-job.js';
import { invalid, refuse } from '../native-errors.js';
import type { MediaRule } from './media-rules.js';
import type { Size, VideoModel } from './video-models.js';

/** The media of a request. */
export interface Media {
  /** Seconds of each input clip; undefined for an external one. */
  readonly clips: readonly (number | undefined)[];
  /** Size of the first frame; undefined for an external one. */
  readonly frame: Size | undefined;
  readonly deferredFailure: TaskFailure | undefined;
}

interface Viewer {
  readonly results: ResultStore;
  /** The client sent the header that resolves `oss://` addresses. */
  readonly followsOss: boolean;
}

const NO_MEDIA: Media = { clips: [], frame: undefined, deferredFailure: undefined };
const MAX_REFERENCES = 5;
const MAX_CLIPS = 3;
const CLIP_NAME = /\.(mp4|mov)(\?|$)/i;
const unreachable = () => refuse(400, 'InvalidURL', 'Failed to download the media: the url can not be accessed.');

const checkAddress = (url: string, { results, followsOss }: Viewer): void => {
  if (url.startsWith('oss://') ? !followsOss : !results.owns(url) && classifyAddress(url) !== 'external') {
    throw unreachable();
  }
};

/** Undefined for an external image. */
function inspectInputImage(url: string, viewer: Viewer): Size | undefined {
  if (url.startsWith('oss://')) {
    checkAddress(url, viewer);
    return undefined;
  }
  const inspection = inspectImage(url, viewer.results);
  if (inspection.kind === 'unreachable') throw unreachable();
  if (inspection.kind === 'broken') {
    throw refuse(400, 'InvalidFile.Format', 'The format of the image is not supported or the file is broken.');
  }
  return inspection.kind === 'readable' ? { width: inspection.width, height: inspection.height } : undefined;
}

/** Seconds; undefined for an external clip. */
function inspectClip(url: string, viewer: Viewer): number | undefined {
  checkAddress(url, viewer);
  const result = viewer.results.at(url);
  if (viewer.results.owns(url) && result?.format !== 'mp4') throw unreachable();
  return result?.format === 'mp4' ? result.seconds : undefined;
}

type Entry = Readonly<{ type: string; url: string }>;

function readEntries(input: Fields, types: readonly string[]): Entry[] {
  if (!isAbsent(input.media) && !Array.isArray(input.media)) throw invalid('Input should be a valid list: input.media');
  return listOf(input.media).map((entry, at) => {
    const where = `input.media.${at}`;
    if (!isFields(entry)) throw invalid(`Input should be a valid dictionary: ${where}`);
    const missing = ['type', 'url'].find((name) => textOf(entry[name]) === '');
    if (missing !== undefined) throw invalid(`Field required: ${where}.${missing}`);
    if (!types.includes(textOf(entry.type))) {
      const expected = types.map((type) => `'${type}'`).join(' or ');
      throw invalid(`Input should be ${expected}: ${where}.type`);
    }
    return { type: textOf(entry.type), url: textOf(entry.url) };
  });
}

function checkCounts(entries: readonly Entry[], rule: MediaRule): TaskFailure | undefined {
  if (entries.length === 0) {
    if (rule.isRequired) throw invalid('Field required: input.media');
    return undefined;
  }
  const counts = new Map<string, number>();
  for (const { type } of entries) counts.set(type, (counts.get(type) ?? 0) + 1);
  const complaint = rule.complaint(counts);
  if (complaint !== undefined) throw invalid(complaint);
  return rule.deferredFailure?.(counts);
}

const IMAGE_TYPES = ['first_frame', 'last_frame', 'reference_image'];

function readList(input: Fields, rule: MediaRule, viewer: Viewer): Media {
  const entries = readEntries(input, rule.types);
  const deferredFailure = checkCounts(entries, rule);
  const clips: (number | undefined)[] = [];
  let frame: Size | undefined;
  for (const { type, url } of entries) {
    if (type === 'reference_video') {
      clips.push(inspectClip(url, viewer));
    } else if (IMAGE_TYPES.includes(type)) {
      const inspection = inspectInputImage(url, viewer);
      frame = type === 'first_frame' ? inspection : frame;
    } else {
      checkAddress(url, viewer);
    }
  }
  return { clips, frame, deferredFailure };
}

function readReferenceUrls(input: Fields, viewer: Viewer): Media {
  const urls = listOf(input.reference_urls);
  if (urls.length === 0) throw invalid('Field required: input.reference_urls');
  if (urls.some((url) => typeof url !== 'string')) {
    throw invalid('Input should be a valid string: input.reference_urls');
  }
  const clips = urls.map(textOf).filter((url) => CLIP_NAME.test(url));
  if (urls.length > MAX_REFERENCES || clips.length > MAX_CLIPS) {
    throw invalid(`input.reference_urls: at most ${MAX_REFERENCES} references and ${MAX_CLIPS} videos are supported`);
  }
  for (const url of urls.map(textOf).filter((one) => !CLIP_NAME.test(one))) inspectInputImage(url, viewer);
  return { ...NO_MEDIA, clips: clips.map((url) => inspectClip(url, viewer)) };
}

function readFrame(input: Fields, viewer: Viewer): Media {
  if (textOf(input.img_url) === '') throw invalid('Field required: input.img_url');
  return { ...NO_MEDIA, frame: inspectInputImage(textOf(input.img_url), viewer) };
}

export function readMedia(input: Fields, model: VideoModel, viewer: Viewer): Media {
  if (!isAbsent(input.audio_url)) checkAddress(textOf(input.audio_url), viewer);
  switch (model.input) {
    case 'text':
      return NO_MEDIA;
    case 'img_url':
      return readFrame(input, viewer);
    case 'reference_urls':
      return readReferenceUrls(input, viewer);
    case 'media':
      return model.media === null ? NO_MEDIA : readList(input, model.media, viewer);
  }
}
