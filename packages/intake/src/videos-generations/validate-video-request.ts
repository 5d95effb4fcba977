import type { ModelWithCapability } from '@gateway/catalogue';
import {
  type Changes,
  changesBetween,
  GatewayError,
  truncateForError,
  type Usage,
  type VideoGenerationRequest,
  type VideoModelTraits,
  type VideoSubmission,
  videoGenerationRequest,
} from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';
import { checkKnownFields } from '../known-fields.js';
import type { VideoDraft, VideoRequest } from './billed-video.js';
import { BODY_FORMATS } from './body-formats.js';
import { rejectContradictions } from './contradictions.js';
import { mostInputSeconds } from './input-seconds.js';
import { aspectRatioOf, parseBilledVideo } from './parse-billed-video.js';
import { draftTaskIdIn } from './seedance-rules.js';
import { unitOfVideo } from './tier-of-video.js';
import { VideoBody } from './video-body.js';

/** A valid request: the submission for the worker, and its maximum usage. */
export interface ValidVideoRequest {
  readonly worstCase: Usage;
  readonly submission: Omit<VideoSubmission, 'schemaVersion' | 'taskId' | 'webhookUrl' | 'idempotency'>;
  /** The defaults that were written, such as `parameters.duration`. */
  readonly changes: Changes;
  readonly request: VideoGenerationRequest;
}

/** Parses the body by its schema. Throws a 400 that names the field. */
export function parseVideoRequest(body: Record<string, unknown>): VideoGenerationRequest {
  const parsed = videoGenerationRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code !== 'unrecognized_keys') throw describeIssue(parsed.error);
  const [param = ''] = issue.keys;
  throw new GatewayError(
    'unknown_parameter',
    `Unknown parameter: '${truncateForError(param)}'. Send the fields of the model's family in 'input' and 'parameters'.`,
    { param: truncateForError(param) },
  );
}

/** The id of the draft's task; undefined if the request refers to none. Throws a 400. */
export function draftTaskIdOf(
  body: Record<string, unknown>,
  { video }: ModelWithCapability<'video'>,
): string | undefined {
  if (video.traits.bodyFormat !== 'seedance') return undefined;
  return draftTaskIdIn(videoBodyOf(parseVideoRequest(body), video.traits));
}

const videoBodyOf = ({ input, parameters }: VideoGenerationRequest, { bodyFormat }: VideoModelTraits): VideoBody =>
  new VideoBody(input, parameters ?? {}, bodyFormat);

/**
 * Validates by the model's family. The fields beside `input` decide what is billed, and the family's own fields where the
 * client omits them. The upstream must make the video that is paid for, so this writes missing fields into `parameters` and rejects every contradiction. The upstream validates
 * the other fields of `input`. `draft`: the finished draft that `content` refers to; undefined if there is none, or for an
 * estimate. Throws a 400 that names the field.
 */
export function validateVideoRequest(
  body: Record<string, unknown>,
  model: ModelWithCapability<'video'>,
  draft?: VideoDraft,
): ValidVideoRequest {
  const request = parseVideoRequest(body);
  const { traits, protocol } = model.video;
  checkKnownFields(body, protocol);
  const fields = videoBodyOf(request, traits);
  const billed = parseBilledVideo({ request, body: fields, traits, modelId: model.id, draft });
  const video: VideoRequest = { modelId: model.id, traits, billed, body: fields, draft };
  const format = BODY_FORMATS[traits.bodyFormat];
  rejectContradictions(fields, billed);
  format.reject?.(video);
  const unit = unitOfVideo(video);
  const aspectRatio = aspectRatioOf(video, format.followsFrame(video));
  const parameters: Record<string, unknown> = { ...fields.parameters };
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(format.fill(video, aspectRatio))) {
    if (fields.read(name) !== undefined) continue;
    parameters[name] = value;
    filled[`parameters.${name}`] = value;
  }
  const { durationSeconds, resolution } = billed;
  return {
    worstCase: {
      units: { [unit]: durationSeconds, ...mostInputSeconds(model.video, unit, billed, fields) },
      inputTokensTotal: 0,
      isEstimated: true,
    },
    submission: {
      durationSeconds,
      resolution,
      aspectRatio,
      input: fields.input,
      parameters,
      unit,
    },
    changes: changesBetween({}, filled),
    request,
  };
}
