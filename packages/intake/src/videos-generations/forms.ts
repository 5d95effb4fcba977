import type { VideoBodyFormat } from '@gateway/contracts';
import type { BilledVideo, VideoCase } from './billed-video.js';
import { refuseGrok } from './grok-rules.js';
import { refuseSeedance } from './seedance-rules.js';
import { sizeFor } from './sizes.js';
import type { VideoBody } from './video-body.js';

type Written = Readonly<Record<string, unknown>>;

/** How a family of models says in its own body what is billed, and what of it the gateway cannot let through. */
export interface Form {
  /** What is written into `parameters`, where it is not given. */
  readonly written: (it: VideoCase, aspectRatio: string) => Written;
  /** True: the video takes the shape of a picture that is given, unless the client says another. */
  readonly followsFrame: (it: Pick<VideoCase, 'body' | 'traits'>) => boolean;
  /** Throws a 400 for what this family has beside the fields that all have. */
  readonly refuse?: (it: VideoCase) => void;
}

const isFrameModel: Form['followsFrame'] = ({ traits }) => traits.mode === 'i2v';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const someIn = (body: VideoBody, name: string, isFrame: (one: Readonly<Record<string, unknown>>) => boolean): boolean =>
  body.given(name).some(({ value }) => Array.isArray(value) && value.some((one) => isObject(one) && isFrame(one)));

const FRAMES: readonly unknown[] = ['first_frame', 'last_frame', 'first_clip'];

const hasFrameMedia: Form['followsFrame'] = ({ body }) => someIn(body, 'media', ({ type }) => FRAMES.includes(type));

/** A picture that is no reference is a frame. */
const hasFrameContent: Form['followsFrame'] = ({ body }) =>
  someIn(body, 'content', ({ type, role }) => type === 'image_url' && role !== 'reference_image');

const tierAndLength = ({ durationSeconds, resolution }: BilledVideo): Written => ({
  resolution: resolution.toUpperCase(),
  duration: durationSeconds,
});

/** Models of first frames have no ratio; the others of DashScope take it since 2.7. */
const tiered = (followsFrame: Form['followsFrame']): Form => ({
  followsFrame,
  written: (it, ratio) => ({
    ...tierAndLength(it.billed),
    ...(!isFrameModel(it) && (it.billed.aspectRatio !== undefined || !followsFrame(it)) && { ratio }),
  }),
});

const wan26: Form = {
  followsFrame: isFrameModel,
  written: (it, aspectRatio) =>
    isFrameModel(it)
      ? tierAndLength(it.billed)
      : { size: sizeFor(it.billed.resolution, aspectRatio), duration: it.billed.durationSeconds },
};

const seedance: Form = {
  followsFrame: (it) => isFrameModel(it) || hasFrameContent(it),
  refuse: refuseSeedance,
  written: (it, ratio) => {
    const { durationSeconds: duration, resolution, aspectRatio } = it.billed;
    // What is made of a draft has its length and its shape: the vendor takes neither again.
    if (it.draft !== undefined) return { resolution };
    return {
      resolution,
      ...(it.body.given('frames').length === 0 && { duration }),
      ...((aspectRatio !== undefined || !seedance.followsFrame(it)) && { ratio }),
    };
  },
};

const grok: Form = {
  followsFrame: ({ body }) => body.given('image').length > 0,
  refuse: refuseGrok,
  written: (it, ratio) => {
    const { durationSeconds: duration, resolution, aspectRatio } = it.billed;
    const isShaped = aspectRatio !== undefined || !grok.followsFrame(it);
    return { resolution, duration, ...(isShaped && { aspect_ratio: ratio }) };
  },
};

/** A family is one line here, and its own rules beside this file. */
export const FORMS: Readonly<Record<VideoBodyFormat, Form>> = {
  'wan-2.6': wan26,
  'wan-2.7': tiered(isFrameModel),
  'wan-3.0': tiered(hasFrameMedia),
  happyhorse: tiered(isFrameModel),
  seedance,
  grok,
};
