import {
  DEFAULT_VIDEO_ASPECT_RATIO,
  DEFAULT_VIDEO_RESOLUTION,
  DEFAULT_VIDEO_SECONDS,
  type VideoGenerationRequest,
  type VideoModelTraits,
} from '@gateway/contracts';
import { unsupportedValue } from '../unsupported.js';
import type { BilledVideo, VideoDraft, VideoRequest } from './billed-video.js';
import { contradiction } from './contradictions.js';
import { parseVideoSize, sizeFor } from './sizes.js';
import type { VideoBody } from './video-body.js';

/** What `parseBilledVideo` reads. `body`: the family's own fields, which count where the client omits a billed field. */
interface Sources {
  readonly request: VideoGenerationRequest;
  readonly body: VideoBody;
  readonly traits: VideoModelTraits;
  readonly modelId: string;
  readonly draft: VideoDraft | undefined;
}

/** Reads the billed fields. Throws a 400 with the supported values if the model does not support one. */
export function parseBilledVideo({ request, body, traits, modelId, draft }: Sources): BilledVideo {
  const length = lengthOf(request, body, draft);
  const durationSeconds = length.value;
  if (draft !== undefined && durationSeconds !== draft.durationSeconds) {
    throw contradiction('duration', durationSeconds, 'input.content', `a draft of ${draft.durationSeconds} seconds`);
  }
  const { durations } = traits;
  const isLength =
    'least' in durations
      ? durationSeconds >= durations.least && durationSeconds <= durations.most
      : durations.includes(durationSeconds);
  if (!isLength) {
    const lengths = 'least' in durations ? `${durations.least} to ${durations.most}` : durations.join(' or ');
    throw unsupportedValue(length.path, modelId, durationSeconds, `${lengths} seconds`);
  }
  const tier = tierOf(request, body);
  const resolution = tier.value.toLowerCase();
  if (!traits.resolutions.includes(resolution)) {
    throw unsupportedValue(tier.path, modelId, resolution, `one of ${traits.resolutions.join(', ')}`);
  }
  const aspectRatio = request.aspect_ratio ?? undefined;
  if (aspectRatio !== undefined && !traits.aspectRatios.includes(aspectRatio)) {
    const ratios = traits.aspectRatios.join(', ');
    throw unsupportedValue('aspect_ratio', modelId, aspectRatio, `one of ${ratios}`);
  }
  return { durationSeconds, resolution, aspectRatio };
}

interface Given<Value> {
  readonly path: string;
  readonly value: Value;
}

/** An omitted `duration` is the one that the upstream reads: the default of an omitted field contradicts nothing. */
function lengthOf({ duration }: VideoGenerationRequest, body: VideoBody, draft: VideoDraft | undefined): Given<number> {
  const own = body.read('duration');
  const stated = duration ?? draft?.durationSeconds;
  if (stated !== undefined) return { path: 'duration', value: stated };
  return own !== undefined && Number.isInteger(own.value)
    ? { path: own.path, value: Number(own.value) }
    : { path: 'duration', value: DEFAULT_VIDEO_SECONDS };
}

/** As `lengthOf`: an omitted `resolution` is the one of `parameters`, or of its size. */
function tierOf({ resolution }: VideoGenerationRequest, body: VideoBody): Given<string> {
  if (resolution != null) return { path: 'resolution', value: resolution };
  const own = body.read('resolution');
  if (typeof own?.value === 'string') return { path: own.path, value: own.value };
  const size = body.read('size');
  const known = parseVideoSize(size?.value);
  return size === undefined || known === undefined
    ? { path: 'resolution', value: DEFAULT_VIDEO_RESOLUTION }
    : { path: size.path, value: known.resolution };
}

/** The aspect ratio: it has no price, so the family's own fields may set it too. Throws a 400 if they disagree. */
export function aspectRatioOf({ billed, body, traits, modelId, draft }: VideoRequest, followsFrame: boolean): string {
  const sizes = body
    .fieldsNamed('size')
    .map((field) => ({ ...field, ratio: parseVideoSize(field.value)?.aspectRatio }));
  const ratios = ['ratio', 'aspect_ratio'].flatMap((name) => body.fieldsNamed(name));
  const given = [...sizes, ...ratios.map((field) => ({ ...field, ratio: field.value }))];
  const ratio = billed.aspectRatio ?? given[0]?.ratio ?? draft?.aspectRatio;
  const wrong = given.find((field) => field.ratio !== ratio);
  if (wrong !== undefined) throw contradiction(wrong.path, wrong.value, 'aspect_ratio', ratio);
  const [first] = given;
  if (first !== undefined && !(typeof ratio === 'string' && traits.aspectRatios.includes(ratio))) {
    throw unsupportedValue(first.path, modelId, ratio, `one of ${traits.aspectRatios.join(', ')}`);
  }
  const chosen = (ratio as string | undefined) ?? (followsFrame ? 'adaptive' : DEFAULT_VIDEO_ASPECT_RATIO);
  // Some upstreams take resolution and ratio as one size, which must exist.
  const supportsSize = traits.bodyFormat === 'wan-2.6' && traits.mode !== 'i2v';
  if (supportsSize && sizeFor(billed.resolution, chosen) === undefined) {
    throw unsupportedValue('aspect_ratio', modelId, chosen, `a ratio that ${billed.resolution} has`);
  }
  return chosen;
}
