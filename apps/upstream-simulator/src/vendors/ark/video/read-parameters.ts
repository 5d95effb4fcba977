import { isAbsent, isFields, listOf, textOf } from '../../../json/fields.js';
import { invalid } from '../ark-errors.js';
import type { ArkRequest } from './ark-video-job.js';
import { type Mode, RATIOS, type SeedanceModel } from './seedance-models.js';

const FRAMES_PER_SECOND = 24;
const DEFAULT_SECONDS = 5;
const MAX_SEED = 2 ** 32 - 1;
const MIN_FRAMES = 29;
const MAX_FRAMES = 289;
const FRAME_STEP = 4;
const FRAME_OFFSET = 25;
const DEFAULT_EXPIRY_SECONDS = 172_800;
const MIN_EXPIRY_SECONDS = 3_600;
const MAX_EXPIRY_SECONDS = 259_200;
const DRAFT_RESOLUTION = '480p';
const notSupported = (name: string) => invalid(name, 'is not supported by the current model');

function oneOf<Word extends string>(request: ArkRequest, name: string, words: readonly Word[], fallback: Word): Word {
  const value = request[name];
  if (isAbsent(value)) return fallback;
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalid(name, `must be one of ${words.join(', ')}`);
  return word;
}

function readBoolean(request: ArkRequest, name: string, fallback: boolean): boolean {
  const value = request[name];
  if (!isAbsent(value) && typeof value !== 'boolean') throw invalid(name, 'must be a boolean');
  return value ?? fallback;
}

function whole(request: ArkRequest, name: string, min: number, max: number, fallback: number): number {
  const value = request[name] ?? fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw invalid(name, `must be between ${min} and ${max}`);
  }
  return value;
}

/** `frames` overrides `duration` where the model supports it. */
function readLength(request: ArkRequest, { generation, seconds }: SeedanceModel) {
  if (isAbsent(request.frames)) {
    return { frames: null, seconds: whole(request, 'duration', seconds.min, seconds.max, DEFAULT_SECONDS) };
  }
  if (generation !== '1.0') throw notSupported('frames');
  const frames = whole(request, 'frames', MIN_FRAMES, MAX_FRAMES, MIN_FRAMES);
  if ((frames - FRAME_OFFSET) % FRAME_STEP !== 0) throw invalid('frames', 'must be 25 + 4n');
  return { frames, seconds: frames / FRAMES_PER_SECOND };
}

function readDraft(request: ArkRequest, model: SeedanceModel, isDraft: boolean): void {
  if (!isDraft) return;
  if (!model.modes.includes('draft')) throw notSupported('draft');
  if (!isAbsent(request.resolution) && request.resolution !== DRAFT_RESOLUTION) {
    throw invalid('resolution', `must be ${DRAFT_RESOLUTION} for a draft`);
  }
  if (request.return_last_frame === true) throw invalid('return_last_frame', 'is not supported for a draft');
  if (request.service_tier === 'flex') throw invalid('service_tier', 'must be default for a draft');
}

function checkUnsupported(request: ArkRequest, model: SeedanceModel, mode: Mode): void {
  readBoolean(request, 'camera_fixed', false);
  readBoolean(request, 'watermark', false);
  if (!isAbsent(request.camera_fixed) && (mode === 'references' || model.generation === '2.x')) {
    throw notSupported('camera_fixed');
  }
  if (!isAbsent(request.generate_audio) && !model.hasAudio) throw notSupported('generate_audio');
  if (!isAbsent(request.tools)) {
    const isSearch = listOf(request.tools).every((tool) => isFields(tool) && tool.type === 'web_search');
    if (model.generation !== '2.x' || !Array.isArray(request.tools) || !isSearch) throw notSupported('tools');
  }
  if (request.service_tier === 'flex' && !model.hasFlexTier) throw notSupported('service_tier');
}

function readCallback(request: ArkRequest): string | null {
  if (isAbsent(request.callback_url)) return null;
  const url = textOf(request.callback_url);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalid('callback_url', 'must be a valid url');
  }
  return url;
}

export function readParameters(request: ArkRequest, model: SeedanceModel, mode: Mode) {
  checkUnsupported(request, model, mode);
  const isDraft = readBoolean(request, 'draft', false);
  readDraft(request, model, isDraft);
  const defaultRatio = mode === 'first_frame' || mode === 'frames' ? 'adaptive' : '16:9';
  return {
    resolution: oneOf(request, 'resolution', model.resolutions, isDraft ? DRAFT_RESOLUTION : model.defaultResolution),
    ratio: oneOf(request, 'ratio', [...RATIOS, 'adaptive'], defaultRatio),
    ...readLength(request, model),
    seed: whole(request, 'seed', -1, MAX_SEED, -1),
    generatesAudio: readBoolean(request, 'generate_audio', model.hasAudio),
    isDraft,
    returnsLastFrame: readBoolean(request, 'return_last_frame', false),
    serviceTier: oneOf(request, 'service_tier', ['default', 'flex'], 'default'),
    expiresAfterSeconds: whole(
      request,
      'execution_expires_after',
      MIN_EXPIRY_SECONDS,
      MAX_EXPIRY_SECONDS,
      DEFAULT_EXPIRY_SECONDS,
    ),
    callbackUrl: readCallback(request),
  };
}

export type Parameters = ReturnType<typeof readParameters>;
