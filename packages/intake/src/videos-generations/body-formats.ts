import { isJsonObject, type VideoBodyFormat } from '@gateway/contracts';
import type { BilledVideo, VideoRequest } from './billed-video.js';
import { rejectSeedanceFields } from './seedance-rules.js';
import { sizeFor } from './sizes.js';
import type { VideoBody } from './video-body.js';

type Defaults = Readonly<Record<string, unknown>>;

/** How a model family states in its own body what is billed, and which fields the gateway rejects. */
export interface BodyFormatRules {
  /** The defaults that are written into `parameters`. */
  readonly fill: (video: VideoRequest, aspectRatio: string) => Defaults;
  /** True if the video takes the aspect ratio of a given image, unless the client sets another one. */
  readonly followsFrame: (video: Pick<VideoRequest, 'body' | 'traits'>) => boolean;
  /** Throws a 400 for fields that only this family has. */
  readonly reject?: (video: VideoRequest) => void;
}

const isFrameModel: BodyFormatRules['followsFrame'] = ({ traits }) => traits.mode === 'i2v';

const someIn = (body: VideoBody, name: string, isFrame: (one: Readonly<Record<string, unknown>>) => boolean): boolean =>
  body
    .fieldsNamed(name)
    .some(({ value }) => Array.isArray(value) && value.some((one) => isJsonObject(one) && isFrame(one)));

const FRAMES: readonly unknown[] = ['first_frame', 'last_frame', 'first_clip'];

const hasFrameMedia: BodyFormatRules['followsFrame'] = ({ body }) =>
  someIn(body, 'media', ({ type }) => FRAMES.includes(type));

/** An image without the role of a reference is a frame. */
const hasFrameContent: BodyFormatRules['followsFrame'] = ({ body }) =>
  someIn(body, 'content', ({ type, role }) => type === 'image_url' && role !== 'reference_image');

const tierAndLength = ({ durationSeconds, resolution }: BilledVideo): Defaults => ({
  resolution: resolution.toUpperCase(),
  duration: durationSeconds,
});

/** Image-to-video models take no ratio. DashScope's other models take it since 2.7. */
const tiered = (followsFrame: BodyFormatRules['followsFrame']): BodyFormatRules => ({
  followsFrame,
  fill: (video, ratio) => ({
    ...tierAndLength(video.billed),
    ...(!isFrameModel(video) && (video.billed.aspectRatio !== undefined || !followsFrame(video)) && { ratio }),
  }),
});

const wan26: BodyFormatRules = {
  followsFrame: isFrameModel,
  fill: (video, aspectRatio) =>
    isFrameModel(video)
      ? tierAndLength(video.billed)
      : { size: sizeFor(video.billed.resolution, aspectRatio), duration: video.billed.durationSeconds },
};

const seedance: BodyFormatRules = {
  followsFrame: (video) => isFrameModel(video) || hasFrameContent(video),
  reject: rejectSeedanceFields,
  fill: (video, ratio) => {
    const { durationSeconds: duration, resolution, aspectRatio } = video.billed;
    // The video has the duration and ratio of its draft, and the vendor rejects both fields.
    if (video.draft !== undefined) return { resolution };
    return {
      resolution,
      ...(video.body.fieldsNamed('frames').length === 0 && { duration }),
      ...((aspectRatio !== undefined || !seedance.followsFrame(video)) && { ratio }),
    };
  },
};

const grok: BodyFormatRules = {
  followsFrame: ({ body }) => body.fieldsNamed('image').length > 0,
  fill: (video, ratio) => {
    const { durationSeconds: duration, resolution, aspectRatio } = video.billed;
    const isShaped = aspectRatio !== undefined || !grok.followsFrame(video);
    return { resolution, duration, ...(isShaped && { aspect_ratio: ratio }) };
  },
};

/** A family is one line here, with its own rules beside this file. */
export const BODY_FORMATS: Readonly<Record<VideoBodyFormat, BodyFormatRules>> = {
  'wan-2.6': wan26,
  'wan-2.7': tiered(isFrameModel),
  'wan-3.0': tiered(hasFrameMedia),
  happyhorse: tiered(isFrameModel),
  seedance,
  grok,
};
