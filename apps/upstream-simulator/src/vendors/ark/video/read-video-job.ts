import { randomInt } from 'node:crypto';
import { invoiceOf, PromptTally } from '../../../count/tokens.js';
import { stripDirectives } from '../../../directives/directives.js';
import { type Fields, isAbsent } from '../../../json/fields.js';
import type { IncomingRequest, Memory } from '../../vendor-emulator.js';
import { inputIsSensitive, invalid } from '../ark-errors.js';
import type { ArkRequest, ArkVideoJob } from './ark-video-job.js';
import { type Content, readContent } from './read-content.js';
import { type Parameters, readParameters } from './read-parameters.js';
import {
  countTokens,
  FRAMES_PER_SECOND,
  nearestRatio,
  type SeedanceModel,
  sizeOf,
  tokenUnit,
} from './seedance-models.js';
import { failureOf } from './task-failures.js';

/** The flags of a prompt, and the fields that they set. */
const FIELD_OF_FLAG: Readonly<Record<string, string>> = {
  rs: 'resolution',
  resolution: 'resolution',
  rt: 'ratio',
  ratio: 'ratio',
  dur: 'duration',
  duration: 'duration',
  frames: 'frames',
  seed: 'seed',
  cf: 'camera_fixed',
  camerafixed: 'camera_fixed',
  wm: 'watermark',
  watermark: 'watermark',
};
const FLAG = /\s--([a-z]+)\s+(\S+)/gi;
const WHOLE = /^-?\d+$/;

const readWord = (word: string): string | number | boolean => {
  if (word === 'true' || word === 'false') return word === 'true';
  return WHOLE.test(word) ? Number(word) : word;
};

export type FlaggedText = Readonly<{ text: string; fields: Readonly<Record<string, string | number | boolean>> }>;

/** The older syntax: `A fox wakes up. --rs 720p --dur 5`. The vendor ignores unknown flags. */
function readFlags(text: string): FlaggedText {
  const fields: Record<string, string | number | boolean> = {};
  for (const [, flag = '', word = ''] of text.matchAll(FLAG)) {
    const field = FIELD_OF_FLAG[flag.toLowerCase()];
    if (field !== undefined) fields[field] = readWord(word);
  }
  return { text: text.replace(FLAG, '').trim(), fields };
}

const DRAFT_DAYS_MS = 7 * 24 * 60 * 60 * 1_000;
const SEEDS = 2 ** 32;
const ECHOED = ['safety_identifier', 'priority', 'tools'];

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => !isAbsent(fields[name])).map((name) => [name, fields[name]]));

function findDraft(id: string, model: string, incoming: IncomingRequest, memory: Memory): ArkVideoJob {
  const task = memory.tasks.ark.find(id, incoming.credential ?? '');
  const isFresh = task !== undefined && Date.now() - task.createdAtMs < DRAFT_DAYS_MS;
  if (!isFresh || task.state !== 'succeeded' || !task.job.isDraft || task.job.model !== model) {
    throw invalid('content.draft_task.id', 'must be a succeeded draft of the same model, of the last 7 days');
  }
  return task.job;
}

type ResolvedRequest = Readonly<{ request: ArkRequest; text: string; seed: number }>;

/** A final video repeats its draft, except for a few fields. */
function resolveRequest(request: Fields, content: Content, draft: ArkVideoJob | null): ResolvedRequest {
  const { text, fields } = readFlags(content.text);
  const own = { ...fields, ...request };
  if (draft !== null) {
    return { request: { ...own, ...draft.reusable, draft: false }, text: draft.video.text, seed: draft.seed };
  }
  return { request: own, text: stripDirectives(text), seed: -1 };
}

const ratioOf = ({ ratio }: Parameters, { image }: Content, draft: ArkVideoJob | null): string => {
  if (draft !== null) return draft.ratio;
  if (ratio !== 'adaptive') return ratio;
  return image === undefined ? '16:9' : nearestRatio(image);
};

export function readVideoJob(
  fields: Fields,
  model: string,
  traits: SeedanceModel,
  incoming: IncomingRequest,
  memory: Memory,
): ArkVideoJob {
  const content = readContent(fields.content, traits, memory);
  const draft = content.draftId === null ? null : findDraft(content.draftId, model, incoming, memory);
  const resolved = resolveRequest(fields, content, draft);
  const parameters = readParameters(resolved.request, traits, content.mode);
  const tally = new PromptTally(content.text);
  const directives = memory.repeats.activeDirectives('ark', tally.directed);
  if (directives.isBlocked === true) throw inputIsSensitive();
  const ratio = ratioOf(parameters, content, draft);
  const size = sizeOf(traits, parameters.resolution, ratio);
  const seconds = directives.taskDuration ?? parameters.seconds;
  const tokens = countTokens(traits, { ...parameters, ...size, seconds });
  const seed = resolved.seed === -1 ? parameters.seed : resolved.seed;
  return {
    ...parameters,
    model,
    credential: incoming.credential ?? '',
    host: incoming.headers.host,
    directives,
    video: { format: 'mp4', text: resolved.text, ...size, seconds, framesPerSecond: FRAMES_PER_SECOND },
    bill: invoiceOf({ [tokenUnit(traits, { ...parameters, hasVideo: content.hasVideo })]: tokens }),
    deferredFailure: null,
    failureOf,
    traits,
    ratio,
    frames: directives.taskDuration === undefined ? parameters.frames : null,
    seed: seed === -1 ? randomInt(SEEDS) : seed,
    tokens,
    draftId: content.draftId,
    echoed: pick(fields, ECHOED),
    reusable: {
      generate_audio: parameters.generatesAudio,
      duration: parameters.seconds,
      ...pick(resolved.request, ['camera_fixed']),
    },
  };
}
