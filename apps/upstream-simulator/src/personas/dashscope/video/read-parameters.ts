import { type Fields, isAbsent } from '../../../json/fields.js';
import type { TaskFailure } from '../../../tasks/video-order.js';
import { nativeInvalidParameter } from '../native-errors.js';
import { type Size, sizeOf, sizeOfTier, tierOfSize } from './sizes.js';
import type { VideoModel } from './video-models.js';

const LARGEST_SEED = 2_147_483_647;
const USUAL_SECONDS = 5;
const USUAL_RATIO = '16:9';
const SIZE = /^\d+\*\d+$/;
const MODEL_DECIDES = -1;

export interface Parameters {
  /** Such as `720P`. */
  readonly tier: string;
  readonly ratio: string;
  /** The size that was asked for by name, if it was. */
  readonly size: Size | undefined;
  readonly seconds: number;
  readonly isSilent: boolean;
  readonly extendsPrompt: boolean;
  readonly flaw: TaskFailure | undefined;
}

const orWords = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' or ');

function oneOf(parameters: Fields, name: string, words: readonly string[], usual: string): string {
  const value = parameters[name];
  if (isAbsent(value)) {
    return usual;
  }
  const word = words.find((known) => known === value);
  if (word === undefined) {
    throw nativeInvalidParameter(`Input should be ${orWords(words)}: parameters.${name}`);
  }
  return word;
}

function truth(parameters: Fields, name: string, usual: boolean): boolean {
  const value = parameters[name];
  if (!isAbsent(value) && typeof value !== 'boolean') {
    throw nativeInvalidParameter(`Input should be a valid boolean: parameters.${name}`);
  }
  return value ?? usual;
}

function whole(parameters: Fields, name: string): number | undefined {
  const value = parameters[name];
  if (isAbsent(value)) {
    return undefined;
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw nativeInvalidParameter(`Input should be a valid integer: parameters.${name}`);
  }
  return value;
}

function readSeconds(parameters: Fields, model: VideoModel, hasClip: boolean): number {
  const seconds = whole(parameters, 'duration') ?? USUAL_SECONDS;
  if (seconds === MODEL_DECIDES && model.decidesSeconds) {
    return USUAL_SECONDS;
  }
  const { least, most, onlyEnds } = model.seconds;
  const longest = hasClip ? (model.secondsWithClip ?? most) : most;
  if (onlyEnds === true && seconds !== least && seconds !== most) {
    throw nativeInvalidParameter(`Input should be ${least} or ${most}: parameters.duration`);
  }
  if (seconds < least || seconds > longest) {
    throw nativeInvalidParameter(`Range of duration should be [${least}, ${longest}]`);
  }
  return seconds;
}

const LARGEST_TIER = '1080P';
const WRONG_SIZE: TaskFailure = { code: 'InvalidParameter', message: 'The size does not match the allowed size' };

/** A size of no tier is noticed only once the task runs. */
function readSize(parameters: Fields, model: VideoModel): Pick<Parameters, 'tier' | 'size' | 'flaw'> {
  const size = parameters.size ?? sizeAsUsual(model);
  if (typeof size !== 'string' || !SIZE.test(size)) {
    throw nativeInvalidParameter("The size does not match the expected format. Expected format: '<width>*<height>'");
  }
  const tier = tierOfSize(size, model.resolutions);
  return tier === undefined
    ? { tier: LARGEST_TIER, size: undefined, flaw: WRONG_SIZE }
    : { tier, size: sizeOf(size), flaw: undefined };
}

const sizeAsUsual = (model: VideoModel): string => {
  const { width, height } = sizeOfTier(model.resolutions.at(-1) ?? LARGEST_TIER, USUAL_RATIO);
  return `${width}*${height}`;
};

const readTier = (parameters: Fields, model: VideoModel): Pick<Parameters, 'tier' | 'size' | 'flaw'> => ({
  tier: oneOf(parameters, 'resolution', model.resolutions, LARGEST_TIER),
  size: undefined,
  flaw: undefined,
});

function checkRest(parameters: Fields, model: VideoModel, extendsPrompt: boolean): void {
  const seed = whole(parameters, 'seed');
  if (seed !== undefined && (seed < 0 || seed > LARGEST_SEED)) {
    throw nativeInvalidParameter(`Range of seed should be [0, ${LARGEST_SEED}]`);
  }
  truth(parameters, 'watermark', false);
  if (
    model.hasShotType &&
    oneOf(parameters, 'shot_type', ['single', 'multi'], 'single') === 'multi' &&
    !extendsPrompt
  ) {
    throw nativeInvalidParameter('shot_type multi requires prompt_extend to be true');
  }
}

/** Reads and checks `parameters`. What no model knows is ignored, as the vendor does. */
export function readParameters(parameters: Fields, model: VideoModel, hasClip: boolean): Parameters {
  const foreign = model.foreign.find((name) => !isAbsent(parameters[name]));
  if (foreign !== undefined) {
    throw nativeInvalidParameter(`parameters.${foreign} is not supported by this model`);
  }
  const extendsPrompt = truth(parameters, 'prompt_extend', true);
  checkRest(parameters, model, extendsPrompt);
  return {
    ...(model.sizing === 'size' ? readSize(parameters, model) : readTier(parameters, model)),
    ratio: model.ratios === null ? USUAL_RATIO : oneOf(parameters, 'ratio', model.ratios, model.ratios[0] ?? ''),
    seconds: readSeconds(parameters, model, hasClip),
    isSilent: !truth(parameters, 'audio', true) && model.canBeSilent,
    extendsPrompt,
  };
}
