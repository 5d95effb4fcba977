import { type Fields, isAbsent } from '../../../json/fields.js';
import type { TaskFailure } from '../../../tasks/video-job.js';
import { invalid } from '../native-errors.js';
import { sizeOf, sizeOfTier, tierOfSize, type VideoModel } from './video-models.js';

const MAX_SEED = 2_147_483_647;
const DEFAULT_SECONDS = 5;
const DEFAULT_RATIO = '16:9';
const SIZE = /^\d+\*\d+$/;
const MODEL_DECIDES = -1;
const orWords = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' or ');

function oneOf(parameters: Fields, name: string, words: readonly string[], fallback: string): string {
  const value = parameters[name];
  if (isAbsent(value)) return fallback;
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalid(`Input should be ${orWords(words)}: parameters.${name}`);
  return word;
}

function readBoolean(parameters: Fields, name: string, fallback: boolean): boolean {
  const value = parameters[name];
  if (!isAbsent(value) && typeof value !== 'boolean') {
    throw invalid(`Input should be a valid boolean: parameters.${name}`);
  }
  return value ?? fallback;
}

function whole(parameters: Fields, name: string): number | undefined {
  const value = parameters[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw invalid(`Input should be a valid integer: parameters.${name}`);
  }
  return value;
}

function readSeconds(parameters: Fields, model: VideoModel, hasClip: boolean): number {
  const seconds = whole(parameters, 'duration') ?? DEFAULT_SECONDS;
  if (seconds === MODEL_DECIDES && model.decidesSeconds) return DEFAULT_SECONDS;
  const { min, max, onlyEnds } = model.seconds;
  const longest = hasClip ? (model.secondsWithClip ?? max) : max;
  if (onlyEnds === true && seconds !== min && seconds !== max) {
    throw invalid(`Input should be ${min} or ${max}: parameters.duration`);
  }
  if (seconds < min || seconds > longest) throw invalid(`Range of duration should be [${min}, ${longest}]`);
  return seconds;
}

const DEFAULT_TIER = '1080P';
const WRONG_SIZE: TaskFailure = { code: 'InvalidParameter', message: 'The size does not match the allowed size' };

/** A size outside all tiers fails the task, not the request. */
function readSize(parameters: Fields, model: VideoModel) {
  const size = parameters.size ?? defaultSizeOf(model);
  if (typeof size !== 'string' || !SIZE.test(size)) {
    throw invalid("The size does not match the expected format. Expected format: '<width>*<height>'");
  }
  const tier = tierOfSize(size, model.resolutions);
  return tier === undefined
    ? { tier: DEFAULT_TIER, size: undefined, deferredFailure: WRONG_SIZE }
    : { tier, size: sizeOf(size), deferredFailure: undefined };
}

const defaultSizeOf = (model: VideoModel): string => {
  const { width, height } = sizeOfTier(model.resolutions.at(-1) ?? DEFAULT_TIER, DEFAULT_RATIO);
  return `${width}*${height}`;
};

const readTier = (parameters: Fields, model: VideoModel) => ({
  tier: oneOf(parameters, 'resolution', model.resolutions, DEFAULT_TIER),
  size: undefined,
  deferredFailure: undefined,
});

function checkOtherParameters(parameters: Fields, model: VideoModel, extendsPrompt: boolean): void {
  const seed = whole(parameters, 'seed');
  if (seed !== undefined && (seed < 0 || seed > MAX_SEED)) throw invalid(`Range of seed should be [0, ${MAX_SEED}]`);
  readBoolean(parameters, 'watermark', false);
  if (
    model.hasShotType &&
    oneOf(parameters, 'shot_type', ['single', 'multi'], 'single') === 'multi' &&
    !extendsPrompt
  ) {
    throw invalid('shot_type multi requires prompt_extend to be true');
  }
}

/** The vendor ignores parameters that no model knows. */
export function readParameters(parameters: Fields, model: VideoModel, hasClip: boolean) {
  const unsupported = model.unsupported.find((name) => !isAbsent(parameters[name]));
  if (unsupported !== undefined) throw invalid(`parameters.${unsupported} is not supported by this model`);
  const extendsPrompt = readBoolean(parameters, 'prompt_extend', true);
  checkOtherParameters(parameters, model, extendsPrompt);
  return {
    ...(model.sizing === 'size' ? readSize(parameters, model) : readTier(parameters, model)),
    ratio: model.ratios === null ? DEFAULT_RATIO : oneOf(parameters, 'ratio', model.ratios, model.ratios[0] ?? ''),
    seconds: readSeconds(parameters, model, hasClip),
    isSilent: !readBoolean(parameters, 'audio', true) && model.canBeSilent,
    extendsPrompt,
  };
}

export type Parameters = ReturnType<typeof readParameters>;
