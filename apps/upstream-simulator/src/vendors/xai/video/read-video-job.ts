import { invoiceOf, PromptTally } from '../../../count/tokens.js';
import { type Directives, stripDirectives } from '../../../directives/directives.js';
import { type Fields, isAbsent } from '../../../json/fields.js';
import { fitRatio } from '../../../media/image-size.js';
import type { TaskFailure } from '../../../tasks/video-job.js';
import type { IncomingRequest, Memory } from '../../vendor-emulator.js';
import { invalid, oneOf, TICKS_PER_CENT, unparsable } from '../xai-errors.js';
import type { GrokVideoJob } from './grok-video-job.js';
import { checkVoices, type InputImages, readImageCount, readSource, type Size, type VideoModel } from './read-media.js';

/** A new video, a changed one, or more of one. */
export type Operation = 'generation' | 'edit' | 'extension';
const RATIOS = ['16:9', '1:1', '9:16', '4:3', '3:4', '3:2', '2:3'];
const DEFAULT_RATIO = '16:9';
const SIDES: Readonly<Record<string, number>> = { '480p': 640, '720p': 960, '1080p': 1_440 };
const SMALLEST = '480p';
const FRAMES_PER_SECOND = 24;
const DEFAULT_SECONDS = 6;
const MAX_SECONDS = 15;
const EXTENSION = { min: 2, max: 10 };
/** Assumed length of an external video. */
const EXTERNAL_VIDEO_SECONDS = 5;
const MAX_EDIT_SECONDS = 8.7;

/** A failure code: the task is done, but without a video. */
export const MODERATION = 'moderation';

const failureOf = (code: string): TaskFailure => ({
  code: code === '' ? 'internal_error' : code,
  message: 'Video generation failed.',
});

function readSeconds(request: Fields, min: number, max: number): number {
  const seconds = request.duration ?? DEFAULT_SECONDS;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) {
    throw unparsable(`duration: invalid type: ${typeof seconds}, expected i32`);
  }
  if (seconds < min || seconds > max) throw invalid(`duration must be between ${min} and ${max} seconds.`);
  return seconds;
}

/** The result before directives apply. */
interface Plan extends Size {
  readonly resolution: string;
  readonly seconds: number;
  /** Seconds that are newly generated. */
  readonly billedSeconds: number;
  readonly images: number;
}

const shapeOf = (request: Fields, resolution: string, { frame }: InputImages): Size => {
  const fallback = frame === undefined ? DEFAULT_RATIO : `${frame.width}:${frame.height}`;
  const ratio = isAbsent(request.aspect_ratio) ? fallback : oneOf(request, 'aspect_ratio', RATIOS, DEFAULT_RATIO);
  return fitRatio(ratio, SIDES[resolution] ?? 0);
};

function planGeneration(request: Fields, model: VideoModel, memory: Memory): Plan {
  const imageCount = readImageCount(request, memory);
  checkVoices(request, model);
  const resolution = oneOf(request, 'resolution', ['480p', '720p', '1080p'], SMALLEST);
  const resolutions = imageCount.hasReferences ? model.referenceResolutions : model.resolutions;
  if (!resolutions.includes(resolution)) {
    throw invalid(`resolution ${resolution} is not supported by this model for this kind of request.`);
  }
  const max = imageCount.hasReferences ? model.maxSecondsWithReferences : MAX_SECONDS;
  const seconds = readSeconds(request, 1, max);
  return {
    ...shapeOf(request, resolution, imageCount),
    resolution,
    seconds,
    billedSeconds: seconds,
    images: imageCount.count,
  };
}

/** A changed video has the size of its source. */
function planChange(operation: 'edit' | 'extension', request: Fields, memory: Memory, override: number | undefined) {
  const settings = ['aspect_ratio', 'resolution', ...(operation === 'edit' ? ['duration'] : [])];
  const unsupported = settings.find((name) => !isAbsent(request[name]));
  if (unsupported !== undefined) throw invalid(`Argument not supported: ${unsupported}`);
  const source = readSource(request, memory);
  const sourceSeconds = override ?? source?.seconds ?? EXTERNAL_VIDEO_SECONDS;
  if (operation === 'edit' && sourceSeconds > MAX_EDIT_SECONDS) {
    throw invalid(`The video is too long: at most ${MAX_EDIT_SECONDS} seconds can be edited.`);
  }
  const added = operation === 'edit' ? 0 : readSeconds(request, EXTENSION.min, EXTENSION.max);
  const { width, height } = source ?? fitRatio(DEFAULT_RATIO, SIDES[SMALLEST] ?? 0);
  const isSmall = width * height <= (SIDES[SMALLEST] ?? 0) ** 2;
  return {
    width,
    height,
    resolution: isSmall ? SMALLEST : '720p',
    seconds: sourceSeconds + added,
    billedSeconds: operation === 'edit' ? sourceSeconds : added,
    images: 0,
  };
}

function readDirectives(prompt: string, memory: Memory): Directives {
  const tally = new PromptTally(prompt);
  const directives = memory.repeats.activeDirectives('xai', tally.directed);
  if (directives.isBlocked === true) throw invalid('Generated video rejected by content moderation.');
  return directives;
}

export function readVideoJob(
  operation: Operation,
  request: Fields,
  model: VideoModel,
  incoming: IncomingRequest,
  memory: Memory,
): GrokVideoJob {
  const { prompt = '' } = request;
  if (typeof prompt !== 'string') throw unparsable(`prompt: invalid type: ${typeof prompt}, expected a string`);
  if (prompt === '' && (operation !== 'generation' || isAbsent(request.image)))
    throw unparsable('missing field `prompt`');
  if (!isAbsent(request.generate_audio) && typeof request.generate_audio !== 'boolean') {
    throw unparsable('generate_audio: invalid type, expected a boolean');
  }
  const directives = readDirectives(prompt, memory);
  const plan =
    operation === 'generation'
      ? planGeneration(request, model, memory)
      : planChange(operation, request, memory, directives.inputSeconds);
  const { width, height, resolution } = plan;
  const seconds = directives.taskDuration ?? plan.seconds;
  const billedSeconds = directives.taskDuration ?? plan.billedSeconds;
  const cents = billedSeconds * (model.centsOfSecond[resolution] ?? 0) + plan.images * model.centsOfImage;
  return {
    model: model.id,
    credential: incoming.credential ?? '',
    host: incoming.headers.host,
    resolution,
    directives,
    video: { format: 'mp4', text: stripDirectives(prompt), width, height, seconds, framesPerSecond: FRAMES_PER_SECOND },
    bill: invoiceOf({
      [`second_${resolution}`]: billedSeconds,
      ...(model.centsOfImage > 0 && { input_image: plan.images }),
    }),
    billedFailure: MODERATION,
    deferredFailure: null,
    failureOf,
    ticks: Math.round(cents * TICKS_PER_CENT),
  };
}
