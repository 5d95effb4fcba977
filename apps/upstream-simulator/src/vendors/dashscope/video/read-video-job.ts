import { invoiceOf, PromptTally } from '../../../count/tokens.js';
import { stripDirectives } from '../../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, isFields } from '../../../json/fields.js';
import type { TaskFailure } from '../../../tasks/video-job.js';
import type { IncomingRequest, Memory } from '../../vendor-emulator.js';
import { invalid, refuse } from '../native-errors.js';
import { type DashScopeVideoJob, failureOf } from './dashscope-video-job.js';
import { type Media, readMedia } from './read-media.js';
import { type Parameters, readParameters } from './read-parameters.js';
import { ratioOfSize, type Size, sizeOfTier, type VideoModel } from './video-models.js';

/** Assumed length of an external clip. */
const EXTERNAL_CLIP_SECONDS = 5;
/** Generation 2.6 bills at most this much input. */
const BILLED_CLIP_SECONDS_26 = 5;
const MAX_TOTAL_SECONDS_30 = 30;

const TOO_LONG: TaskFailure = {
  code: 'InvalidParameter',
  message: 'The total duration of the input videos and the output video should not be larger than 30 seconds.',
};

/** The vendor truncates longer prompts silently. */
function readPrompt(input: Fields, model: VideoModel): string {
  const { prompt } = input;
  if (!isAbsent(prompt) && typeof prompt !== 'string') throw invalid('Input should be a valid string: input.prompt');
  const requiresPrompt = model.requiresPrompt || (model.media?.isRequired === false && isAbsent(input.media));
  if (requiresPrompt && (prompt ?? '') === '') throw invalid('Field required: input.prompt');
  return (prompt ?? '').slice(0, model.promptCharacters);
}

const inputSecondsOf = ({ clips }: Media, model: VideoModel, override: number | undefined): number => {
  if (clips.length === 0) return 0;
  const seconds = override ?? clips.reduce<number>((total, clip) => total + (clip ?? EXTERNAL_CLIP_SECONDS), 0);
  return model.usage === 'wan2.6-r2v' ? Math.min(seconds, BILLED_CLIP_SECONDS_26) : seconds;
};

/** The first frame's ratio overrides the parameter. */
function shapeOf(parameters: Parameters, { frame }: Media): Size & { readonly ratio: string } {
  if (frame !== undefined) {
    const ratio = ratioOfSize(frame);
    return { ratio, ...sizeOfTier(parameters.tier, ratio) };
  }
  const ratio = parameters.ratio === 'adaptive' ? '16:9' : parameters.ratio;
  const size = parameters.size ?? sizeOfTier(parameters.tier, ratio);
  return { ...size, ratio: parameters.size === undefined ? ratio : ratioOfSize(size) };
}

export function readVideoJob(
  request: Fields,
  model: VideoModel,
  incoming: IncomingRequest,
  memory: Memory,
  requestId: string,
): DashScopeVideoJob {
  if (!isFields(request.input)) throw invalid('Field required: input');
  const { input } = request;
  const prompt = readPrompt(input, model);
  const followsOss = incoming.headers['x-dashscope-ossresourceresolve'] === 'enable';
  const media = readMedia(input, model, { results: memory.results, followsOss });
  const parameters = readParameters(fieldsOf(request.parameters), model, media.clips.length > 0);
  const tally = new PromptTally(prompt);
  const directives = memory.repeats.activeDirectives('dashscope', tally.directed);
  if (directives.isBlocked === true) {
    throw refuse(400, 'DataInspectionFailed', 'Input data may contain inappropriate content.');
  }
  const { width, height, ratio } = shapeOf(parameters, media);
  const seconds = directives.taskDuration ?? parameters.seconds;
  const inputSeconds = inputSecondsOf(media, model, directives.inputSeconds);
  const isTooLong = model.usage === 'wan3.0' && inputSeconds + parameters.seconds > MAX_TOTAL_SECONDS_30;
  const tier = parameters.tier.toLowerCase();
  const sound = parameters.isSilent ? '_silent' : '';
  return {
    model: model.id,
    credential: incoming.credential ?? '',
    host: incoming.headers.host,
    resolution: tier,
    directives,
    video: {
      format: 'mp4',
      text: stripDirectives(prompt),
      width,
      height,
      seconds,
      framesPerSecond: model.framesPerSecond,
    },
    bill: invoiceOf({ [`second_${tier}${sound}`]: seconds, [`input_second_${tier}${sound}`]: inputSeconds }),
    deferredFailure: media.deferredFailure ?? parameters.deferredFailure ?? (isTooLong ? TOO_LONG : null),
    failureOf,
    traits: model,
    requestId,
    tier: Number.parseInt(tier, 10),
    ratio,
    inputSeconds,
    prompt,
    extendsPrompt: parameters.extendsPrompt,
  };
}
