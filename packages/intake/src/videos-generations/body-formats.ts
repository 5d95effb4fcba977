import type { VideoBodyFormat } from '@gateway/contracts';
import type { BilledVideo, VideoRequest } from './billed-video.js';
import { rejectGrokFields } from './grok-rules.js';
import { rejectSeedanceFields } from './seedance-rules.js';
import { sizeFor } from './sizes.js';
import type { VideoBody } from './video-body.js';

type Written = Readonly<Record<string, unknown>>;

/** How a family of models says in its own body what is billed, and what of it the gateway cannot let through. */
export interface BodyFormatRules {
  /** What is written into `parameters`, where it is not given. */
  readonly fill: (it: VideoRequest, aspectRatio: string) => Written;
  /** True: the video takes the shape of a picture that is given, unless the client says another. */
  readonly followsFrame: (it: Pick<VideoRequest, 'body' | 'traits'>) => boolean;
  /** Throws a 400 for what this family has beside the fields that all have. */
  readonly refuse?: (it: VideoRequest) => void;
}

const isFrameModel: BodyFormatRules['followsFrame'] = ({ traits }) => traits.mode === 'i2v';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const someIn = (body: VideoBody, name: string, isFrame: (one: Readonly<Record<string, unknown>>) => boolean): boolean =>
  body
    .fieldsNamed(name)
    .some(({ value }) => Array.isArray(value) && value.some((one) => isObject(one) && isFrame(one)));

const FRAMES: readonly unknown[] = ['first_frame', 'last_frame', 'first_clip'];

const hasFrameMedia: BodyFormatRules['followsFrame'] = ({ body }) =>
  someIn(body, 'media', ({ type }) => FRAMES.includes(type));

/** A picture that is no reference is a frame. */
const hasFrameContent: BodyFormatRules['followsFrame'] = ({ body }) =>
  someIn(body, 'content', ({ type, role }) => type === 'image_url' && role !== 'reference_image');

const tierAndLength = ({ durationSeconds, resolution }: BilledVideo): Written => ({
  resolution: resolution.toUpperCase(),
  duration: durationSeconds,
});

/** Models of first frames have no ratio; the others of DashScope take it since 2.7. */
const tiered = (followsFrame: BodyFormatRules['followsFrame']): BodyFormatRules => ({
  followsFrame,
  fill: (it, ratio) => ({
    ...tierAndLength(it.billed),
    ...(!isFrameModel(it) && (it.billed.aspectRatio !== undefined || !followsFrame(it)) && { ratio }),
  }),
});

const wan26: BodyFormatRules = {
  followsFrame: isFrameModel,
  fill: (it, aspectRatio) =>
    isFrameModel(it)
      ? tierAndLength(it.billed)
      : { size: sizeFor(it.billed.resolution, aspectRatio), duration: it.billed.durationSeconds },
};

const seedance: BodyFormatRules = {
  followsFrame: (it) => isFrameModel(it) || hasFrameContent(it),
  refuse: rejectSeedanceFields,
  fill: (it, ratio) => {
    const { durationSeconds: duration, resolution, aspectRatio } = it.billed;
    // What is made of a draft has its length and its shape: the vendor takes neither again.
    if (it.draft !== undefined) return { resolution };
    return {
      resolution,
      ...(it.body.fieldsNamed('frames').length === 0 && { duration }),
      ...((aspectRatio !== undefined || !seedance.followsFrame(it)) && { ratio }),
    };
  },
};

const grok: BodyFormatRules = {
  followsFrame: ({ body }) => body.fieldsNamed('image').length > 0,
  refuse: rejectGrokFields,
  fill: (it, ratio) => {
    const { durationSeconds: duration, resolution, aspectRatio } = it.billed;
    const isShaped = aspectRatio !== undefined || !grok.followsFrame(it);
    return { resolution, duration, ...(isShaped && { aspect_ratio: ratio }) };
  },
};

/** A family is one line here, and its own rules beside this file. */
export const BODY_FORMATS: Readonly<Record<VideoBodyFormat, BodyFormatRules>> = {
  'wan-2.6': wan26,
  'wan-2.7': tiered(isFrameModel),
  'wan-3.0': tiered(hasFrameMedia),
  happyhorse: tiered(isFrameModel),
  seedance,
  grok,
};
