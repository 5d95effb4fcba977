import type { TaskFailure } from '../../../tasks/video-job.js';

/** Entries of a request by type. */
export type MediaCounts = ReadonlyMap<string, number>;

/** The media that a model accepts. */
export interface MediaRule {
  readonly types: readonly string[];
  /** False: a prompt alone is enough. */
  readonly isRequired: boolean;
  /** The vendor's error message; undefined if valid. */
  complaint(counts: MediaCounts): string | undefined;
  /** An error that fails the task later, not the request. */
  deferredFailure?(counts: MediaCounts): TaskFailure | undefined;
}

const sum = (counts: MediaCounts, ...types: readonly string[]): number =>
  types.reduce((total, type) => total + (counts.get(type) ?? 0), 0);

const tooMany = (counts: MediaCounts, max: Readonly<Record<string, number>>): string | undefined => {
  const type = Object.keys(max).find((name) => sum(counts, name) > (max[name] ?? 0));
  return type === undefined ? undefined : `input.media: the number of ${type} should not be larger than ${max[type]}`;
};

const WAN27_SETS =
  'first_frame driving_audio,first_frame first_frame,last_frame driving_audio,first_frame,last_frame first_clip first_clip,last_frame'.split(
    ' ',
  );

/** A first frame or clip, with a last frame or driving audio, in the documented combinations. */
export const WAN27_FRAMES: MediaRule = {
  types: ['first_frame', 'last_frame', 'driving_audio', 'first_clip'],
  isRequired: true,
  complaint(counts) {
    const given = [...counts.keys()].sort().join(',');
    const isSingle = [...counts.values()].every((count) => count === 1);
    return isSingle && WAN27_SETS.includes(given)
      ? undefined
      : `input.media: the combination [${given}] is not supported, each type may be given once`;
  },
};

/** References, and a first frame. */
export const UP_TO_FIVE: MediaRule = {
  types: ['reference_image', 'reference_video', 'first_frame', 'reference_voice'],
  isRequired: true,
  complaint(counts) {
    if (sum(counts, 'reference_image', 'reference_video') === 0) {
      return 'input.media: at least one reference_image or reference_video is required';
    }
    if (sum(counts, 'reference_image', 'reference_video', 'first_frame') > 5) {
      return 'input.media: the number of images and videos should not be larger than 5';
    }
    return tooMany(counts, { first_frame: 1 });
  },
};

const FRAMES = ['first_frame', 'last_frame'];
const REFERENCES = ['reference_image', 'reference_video', 'reference_audio', 'file', 'link'];

/** Frames, references or neither. */
export const TWO_EITHER_WAY: MediaRule = {
  types: [...FRAMES, ...REFERENCES],
  isRequired: false,
  complaint(counts) {
    if (sum(counts, 'file') > 0 && sum(counts, 'link') > 0) {
      return 'input.media: link can not be used together with file';
    }
    return tooMany(counts, {
      first_frame: 1,
      last_frame: 1,
      reference_image: 10,
      reference_video: 5,
      reference_audio: 5,
      file: 1,
      link: 1,
    });
  },
  deferredFailure: (counts) =>
    sum(counts, ...FRAMES) > 0 && sum(counts, ...REFERENCES) > 0
      ? {
          code: 'InvalidParameter',
          message: 'The two modes are mutually exclusive. Use either first_frame/last_frame or reference media.',
        }
      : undefined,
};

export const ONE_FIRST_FRAME: MediaRule = {
  types: ['first_frame'],
  isRequired: true,
  complaint: (counts) =>
    sum(counts, 'first_frame') === 1 ? undefined : 'input.media: exactly one first_frame is required',
};

export const UP_TO_NINE: MediaRule = {
  types: ['reference_image'],
  isRequired: true,
  complaint: (counts) =>
    sum(counts, 'reference_image') >= 1 && sum(counts, 'reference_image') <= 9
      ? undefined
      : 'input.media: the number of reference_image should be between 1 and 9',
};
