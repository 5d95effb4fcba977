import { PromptTally } from '../../../count/prompt-tally.js';
import { invoiceOf } from '../../../count/tokens.js';
import { type Directives, stripDirectives } from '../../../directives/directives.js';
import { type Fields, isAbsent } from '../../../json/fields.js';
import { fitRatio } from '../../../picture/fit-ratio.js';
import type { TaskFailure } from '../../../tasks/video-order.js';
import type { Memory, Received } from '../../persona.js';
import { oneOf } from '../one-of.js';
import { invalidArgument, notDeserialized, TICKS_PER_CENT } from '../xai-errors.js';
import type { GrokOrder } from './grok-order.js';
import { checkVoices, type Pictures, readPictures, readSource, type Size } from './read-media.js';
import type { VideoModel } from './video-models.js';

/** What is made: a new video, another one from a video, or more of it. */
export type Work = 'generation' | 'edit' | 'extension';

const RATIOS = ['16:9', '1:1', '9:16', '4:3', '3:4', '3:2', '2:3'];
const USUAL_RATIO = '16:9';
const SIDES: Readonly<Record<string, number>> = { '480p': 640, '720p': 960, '1080p': 1_440 };
const SMALLEST = '480p';
const FRAMES_PER_SECOND = 24;
const USUAL_SECONDS = 6;
const LONGEST_SECONDS = 15;
const EXTENSION = { least: 2, most: 10 };
/** A video of the world is taken to be so long. */
const UNSEEN_SECONDS = 5;
const LONGEST_EDIT_SECONDS = 8.7;

/** Done, as this vendor says it, but with nothing to see. */
export const MODERATION = 'moderation';

const failureOf = (code: string): TaskFailure => ({
  code: code === '' ? 'internal_error' : code,
  message: 'Video generation failed.',
});

function readSeconds(request: Fields, least: number, most: number): number {
  const seconds = request.duration ?? USUAL_SECONDS;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) {
    throw notDeserialized(`duration: invalid type: ${typeof seconds}, expected i32`);
  }
  if (seconds < least || seconds > most) {
    throw invalidArgument(`duration must be between ${least} and ${most} seconds.`);
  }
  return seconds;
}

/** What comes out, before the directives have a say. */
interface Plan extends Size {
  readonly resolution: string;
  readonly seconds: number;
  /** Those of them that are made anew. */
  readonly billedSeconds: number;
  readonly images: number;
}

const shapeOf = (request: Fields, resolution: string, { frame }: Pictures): Size => {
  const usual = frame === undefined ? USUAL_RATIO : `${frame.width}:${frame.height}`;
  const ratio = isAbsent(request.aspect_ratio) ? usual : oneOf(request, 'aspect_ratio', RATIOS, USUAL_RATIO);
  return fitRatio(ratio, SIDES[resolution] ?? 0);
};

function planGeneration(request: Fields, model: VideoModel, memory: Memory): Plan {
  const pictures = readPictures(request, memory);
  checkVoices(request, model);
  const resolution = oneOf(request, 'resolution', ['480p', '720p', '1080p'], SMALLEST);
  const resolutions = pictures.hasReferences ? model.referenceResolutions : model.resolutions;
  if (!resolutions.includes(resolution)) {
    throw invalidArgument(`resolution ${resolution} is not supported by this model for this kind of request.`);
  }
  const most = pictures.hasReferences ? model.longestWithReferences : LONGEST_SECONDS;
  const seconds = readSeconds(request, 1, most);
  return {
    ...shapeOf(request, resolution, pictures),
    resolution,
    seconds,
    billedSeconds: seconds,
    images: pictures.count,
  };
}

/** A changed video has the shape of the one it was made from. */
function planChange(work: 'edit' | 'extension', request: Fields, memory: Memory, wished: number | undefined): Plan {
  const settings = ['aspect_ratio', 'resolution', ...(work === 'edit' ? ['duration'] : [])];
  const foreign = settings.find((name) => !isAbsent(request[name]));
  if (foreign !== undefined) {
    throw invalidArgument(`Argument not supported: ${foreign}`);
  }
  const source = readSource(request, memory);
  const sourceSeconds = wished ?? source?.seconds ?? UNSEEN_SECONDS;
  if (work === 'edit' && sourceSeconds > LONGEST_EDIT_SECONDS) {
    throw invalidArgument(`The video is too long: at most ${LONGEST_EDIT_SECONDS} seconds can be edited.`);
  }
  const added = work === 'edit' ? 0 : readSeconds(request, EXTENSION.least, EXTENSION.most);
  const { width, height } = source ?? fitRatio(USUAL_RATIO, SIDES[SMALLEST] ?? 0);
  const isSmall = width * height <= (SIDES[SMALLEST] ?? 0) ** 2;
  return {
    width,
    height,
    resolution: isSmall ? SMALLEST : '720p',
    seconds: sourceSeconds + added,
    billedSeconds: work === 'edit' ? sourceSeconds : added,
    images: 0,
  };
}

function readDirectives(prompt: string, memory: Memory): Directives {
  const tally = new PromptTally();
  tally.addText(prompt);
  const directives = memory.repeats.inForce('xai', tally.directed);
  if (directives.isBlocked === true) {
    throw invalidArgument('Generated video rejected by content moderation.');
  }
  return directives;
}

/** Reads and checks a request for a video, in the vendor's words. */
export function readVideoOrder(
  work: Work,
  request: Fields,
  model: VideoModel,
  received: Received,
  memory: Memory,
): GrokOrder {
  const { prompt = '' } = request;
  if (typeof prompt !== 'string') {
    throw notDeserialized(`prompt: invalid type: ${typeof prompt}, expected a string`);
  }
  if (prompt === '' && (work !== 'generation' || isAbsent(request.image))) {
    throw notDeserialized('missing field `prompt`');
  }
  if (!isAbsent(request.generate_audio) && typeof request.generate_audio !== 'boolean') {
    throw notDeserialized('generate_audio: invalid type, expected a boolean');
  }
  const directives = readDirectives(prompt, memory);
  const plan =
    work === 'generation'
      ? planGeneration(request, model, memory)
      : planChange(work, request, memory, directives.inputSeconds);
  const { width, height, resolution } = plan;
  const seconds = directives.taskDuration ?? plan.seconds;
  const billedSeconds = directives.taskDuration ?? plan.billedSeconds;
  const cents = billedSeconds * (model.centsOfSecond[resolution] ?? 0) + plan.images * model.centsOfImage;
  return {
    model: model.id,
    credential: received.credential ?? '',
    host: received.headers.host,
    resolution,
    directives,
    video: {
      format: 'mp4',
      text: stripDirectives(prompt),
      width,
      height,
      seconds,
      framesPerSecond: FRAMES_PER_SECOND,
    },
    bill: invoiceOf({
      [`second_${resolution}`]: billedSeconds,
      ...(model.centsOfImage > 0 && { input_image: plan.images }),
    }),
    flaw: null,
    failureOf,
    ticks: Math.round(cents * TICKS_PER_CENT),
  };
}
