import type { ModelWithCapability } from '@gateway/catalogue';
import {
  GatewayError,
  truncateForError,
  type Usage,
  type VideoGenerationRequest,
  type VideoModelTraits,
  type VideoSubmission,
  videoGenerationRequest,
} from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';
import type { VideoDraft, VideoRequest } from './billed-video.js';
import { BODY_FORMATS } from './body-formats.js';
import { rejectContradictions } from './contradictions.js';
import { aspectRatioOf, parseBilledVideo } from './parse-billed-video.js';
import { draftTaskIdIn } from './seedance-rules.js';
import { unitOfVideo } from './tier-of-video.js';
import { VideoBody } from './video-body.js';

/** A valid request: what the worker submits, and what it costs at most. */
export interface ValidVideoRequest {
  readonly worstCase: Usage;
  readonly submission: Omit<VideoSubmission, 'schemaVersion' | 'taskId' | 'webhookUrl' | 'idempotency'>;
  /** What was written into `parameters`, such as `parameters.duration`. */
  readonly filled: readonly string[];
  readonly request: VideoGenerationRequest;
}

/** The body by its schema. Throws a 400 that names the field. */
export function parseVideoRequest(body: Record<string, unknown>): VideoGenerationRequest {
  const parsed = videoGenerationRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code !== 'unrecognized_keys') throw describeIssue(parsed.error);
  const [param = ''] = issue.keys;
  throw new GatewayError(
    'unknown_parameter',
    `Unknown parameter: '${truncateForError(param)}'. The fields of the model's own family stand in 'input' and 'parameters'.`,
    { param: truncateForError(param) },
  );
}

/** The task whose draft this request wants the whole video of, if it is one of those. Throws a 400. */
export function draftTaskIdOf(
  body: Record<string, unknown>,
  { video }: ModelWithCapability<'video'>,
): string | undefined {
  if (video.traits.bodyFormat !== 'seedance') return undefined;
  return draftTaskIdIn(videoBodyOf(parseVideoRequest(body), video.traits));
}

const videoBodyOf = (
  { input, parameters }: VideoGenerationRequest,
  { bodyFormat: form }: VideoModelTraits,
): VideoBody => new VideoBody(input, parameters ?? {}, form);

/**
 * Reads a video request by its model's family. What is billed is what the fields beside `input` say; the same is written
 * into `parameters` where the client left it out, and whatever contradicts it is refused: no other video may be made than
 * the one that is paid for. The rest of `input` is the upstream's to judge. `draft`: the one that `content` names, looked
 * up; undefined if it names none, or nobody has looked. Throws a 400 that names the field.
 */
export function validateVideoRequest(
  body: Record<string, unknown>,
  model: ModelWithCapability<'video'>,
  draft?: VideoDraft,
): ValidVideoRequest {
  const request = parseVideoRequest(body);
  const { traits } = model.video;
  const fields = videoBodyOf(request, traits);
  const billed = parseBilledVideo(request, model.id, traits, draft);
  const it: VideoRequest = { modelId: model.id, traits, billed, body: fields, draft };
  const form = BODY_FORMATS[traits.bodyFormat];
  rejectContradictions(fields, billed);
  form.refuse?.(it);
  const unit = unitOfVideo(it);
  const aspectRatio = aspectRatioOf(it, form.followsFrame(it));
  const parameters: Record<string, unknown> = { ...fields.parameters };
  const filled: string[] = [];
  for (const [name, value] of Object.entries(form.fill(it, aspectRatio))) {
    if (fields.read(name) !== undefined) continue;
    parameters[name] = value;
    filled.push(`parameters.${name}`);
  }
  const { durationSeconds, resolution } = billed;
  return {
    worstCase: { units: { [unit]: durationSeconds }, inputTokensTotal: 0, isEstimated: true },
    submission: {
      durationSeconds,
      resolution,
      aspectRatio,
      input: fields.input,
      parameters,
      unit,
    },
    filled,
    request,
  };
}
