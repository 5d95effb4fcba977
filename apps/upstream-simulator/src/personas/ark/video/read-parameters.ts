import { isAbsent, isFields, listOf, textOf } from '../../../json/fields.js';
import { invalidParameter } from '../ark-errors.js';
import type { ArkRequest } from './ark-order.js';
import type { Mode, Resolution, SeedanceModel } from './seedance-models.js';
import { RATIOS } from './sizes.js';

const FRAMES_PER_SECOND = 24;
const USUAL_SECONDS = 5;
const LARGEST_SEED = 2 ** 32 - 1;
const LEAST_FRAMES = 29;
const MOST_FRAMES = 289;
const FRAME_STEP = 4;
const FRAME_OFFSET = 25;
const USUAL_EXPIRY_SECONDS = 172_800;
const LEAST_EXPIRY_SECONDS = 3_600;
const MOST_EXPIRY_SECONDS = 259_200;
const DRAFT_RESOLUTION = '480p';

export interface Parameters {
  readonly resolution: Resolution;
  readonly ratio: string;
  readonly frames: number | null;
  readonly seconds: number;
  readonly seed: number;
  readonly generatesAudio: boolean;
  readonly isDraft: boolean;
  readonly returnsLastFrame: boolean;
  readonly serviceTier: string;
  readonly expiresAfterSeconds: number;
  readonly callbackUrl: string | null;
}

const notSupported = (name: string) => invalidParameter(name, 'is not supported by the current model');

function oneOf<Word extends string>(request: ArkRequest, name: string, words: readonly Word[], usual: Word): Word {
  const value = request[name];
  if (isAbsent(value)) {
    return usual;
  }
  const word = words.find((known) => known === value);
  if (word === undefined) {
    throw invalidParameter(name, `must be one of ${words.join(', ')}`);
  }
  return word;
}

function truth(request: ArkRequest, name: string, usual: boolean): boolean {
  const value = request[name];
  if (!isAbsent(value) && typeof value !== 'boolean') {
    throw invalidParameter(name, 'must be a boolean');
  }
  return value ?? usual;
}

function whole(request: ArkRequest, name: string, least: number, most: number, usual: number): number {
  const value = request[name] ?? usual;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw invalidParameter(name, `must be between ${least} and ${most}`);
  }
  return value;
}

/** Frames win over seconds where the model has them. */
function readLength(
  request: ArkRequest,
  { generation, seconds }: SeedanceModel,
): Pick<Parameters, 'frames' | 'seconds'> {
  if (isAbsent(request.frames)) {
    return { frames: null, seconds: whole(request, 'duration', seconds.least, seconds.most, USUAL_SECONDS) };
  }
  if (generation !== '1.0') {
    throw notSupported('frames');
  }
  const frames = whole(request, 'frames', LEAST_FRAMES, MOST_FRAMES, LEAST_FRAMES);
  if ((frames - FRAME_OFFSET) % FRAME_STEP !== 0) {
    throw invalidParameter('frames', 'must be 25 + 4n');
  }
  return { frames, seconds: frames / FRAMES_PER_SECOND };
}

function readDraft(request: ArkRequest, model: SeedanceModel, isDraft: boolean): void {
  if (!isDraft) {
    return;
  }
  if (!model.modes.includes('draft')) {
    throw notSupported('draft');
  }
  if (!isAbsent(request.resolution) && request.resolution !== DRAFT_RESOLUTION) {
    throw invalidParameter('resolution', `must be ${DRAFT_RESOLUTION} for a draft`);
  }
  if (request.return_last_frame === true) {
    throw invalidParameter('return_last_frame', 'is not supported for a draft');
  }
  if (request.service_tier === 'flex') {
    throw invalidParameter('service_tier', 'must be default for a draft');
  }
}

function checkForeign(request: ArkRequest, model: SeedanceModel, mode: Mode): void {
  truth(request, 'camera_fixed', false);
  truth(request, 'watermark', false);
  if (!isAbsent(request.camera_fixed) && (mode === 'references' || model.generation === '2.x')) {
    throw notSupported('camera_fixed');
  }
  if (!isAbsent(request.generate_audio) && !model.hasSound) {
    throw notSupported('generate_audio');
  }
  if (!isAbsent(request.tools)) {
    const isSearch = listOf(request.tools).every((tool) => isFields(tool) && tool.type === 'web_search');
    if (model.generation !== '2.x' || !Array.isArray(request.tools) || !isSearch) {
      throw notSupported('tools');
    }
  }
  if (request.service_tier === 'flex' && !model.hasFlexTier) {
    throw notSupported('service_tier');
  }
}

function readCallback(request: ArkRequest): string | null {
  if (isAbsent(request.callback_url)) {
    return null;
  }
  const url = textOf(request.callback_url);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalidParameter('callback_url', 'must be a valid url');
  }
  return url;
}

/** Reads and checks everything beside the contents. */
export function readParameters(request: ArkRequest, model: SeedanceModel, mode: Mode): Parameters {
  checkForeign(request, model, mode);
  const isDraft = truth(request, 'draft', false);
  readDraft(request, model, isDraft);
  const usualRatio = mode === 'first_frame' || mode === 'frames' ? 'adaptive' : '16:9';
  return {
    resolution: oneOf(request, 'resolution', model.resolutions, isDraft ? DRAFT_RESOLUTION : model.usualResolution),
    ratio: oneOf(request, 'ratio', [...RATIOS, 'adaptive'], usualRatio),
    ...readLength(request, model),
    seed: whole(request, 'seed', -1, LARGEST_SEED, -1),
    generatesAudio: truth(request, 'generate_audio', model.hasSound),
    isDraft,
    returnsLastFrame: truth(request, 'return_last_frame', false),
    serviceTier: oneOf(request, 'service_tier', ['default', 'flex'], 'default'),
    expiresAfterSeconds: whole(
      request,
      'execution_expires_after',
      LEAST_EXPIRY_SECONDS,
      MOST_EXPIRY_SECONDS,
      USUAL_EXPIRY_SECONDS,
    ),
    callbackUrl: readCallback(request),
  };
}
