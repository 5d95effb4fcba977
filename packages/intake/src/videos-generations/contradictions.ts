import { GatewayError, truncateForError } from '@gateway/contracts';
import type { BilledVideo } from './billed-video.js';
import { parseVideoSize, sizesOfResolution } from './sizes.js';
import type { VideoBody } from './video-body.js';

/** A 400 for a field that contradicts what is billed. */
export const contradiction = (path: string, value: unknown, billedBy: string, billed: unknown): GatewayError =>
  new GatewayError(
    'invalid_request',
    `'${path}': ${truncateForError(JSON.stringify(value))} contradicts '${billedBy}', which is ${JSON.stringify(billed)}. Send the same value in both.`,
    { param: path },
  );

/** All vendors whose requests can count frames make 24 a second. */
const FRAMES_PER_SECOND = 24;

/** The billed field that a field must agree with, and the check. */
interface Rule {
  readonly billedBy: 'duration' | 'resolution';
  readonly agrees: (value: unknown, billed: BilledVideo) => boolean;
}

const isDuration: Rule = { billedBy: 'duration', agrees: (value, { durationSeconds }) => value === durationSeconds };

const areFrames: Rule = {
  billedBy: 'duration',
  agrees: (value, { durationSeconds }) =>
    typeof value === 'number' && Math.ceil(value / FRAMES_PER_SECOND) === durationSeconds,
};

const isResolution: Rule = {
  billedBy: 'resolution',
  agrees: (value, { resolution }) => typeof value === 'string' && value.toLowerCase() === resolution,
};

const isSize: Rule = {
  billedBy: 'resolution',
  agrees: (value, { resolution }) => parseVideoSize(value)?.resolution === resolution,
};

/** All names under which any release of a vendor reads duration or resolution. */
const RULES: Readonly<Record<string, Rule>> = {
  duration: isDuration,
  seconds: isDuration,
  duration_seconds: isDuration,
  duration_s: isDuration,
  video_duration: isDuration,
  video_length: isDuration,
  length_seconds: isDuration,
  frames: areFrames,
  num_frames: areFrames,
  resolution: isResolution,
  size: isSize,
};

/** All names of the number of videos. One request makes one video. */
const COUNTS = ['n', 'count', 'num', 'num_videos', 'video_count', 'batch_size', 'sample_count'];

/** An unknown size is an unsupported value, not a contradiction. */
function rejectUnknownSizes(body: VideoBody, { resolution }: BilledVideo): void {
  const known = sizesOfResolution(resolution);
  const wrong = body.fieldsNamed('size').find(({ value }) => parseVideoSize(value) === undefined);
  if (wrong === undefined || known.length === 0) return;
  const given = truncateForError(JSON.stringify(wrong.value));
  throw new GatewayError(
    'unsupported_value',
    `'${wrong.path}': ${given} is not a size of ${resolution}: expected one of ${known.join(', ')}.`,
    { param: wrong.path },
  );
}

/** Throws a 400 for every field that would make the upstream render another video than the billed one. */
export function rejectContradictions(body: VideoBody, billed: BilledVideo): void {
  rejectUnknownSizes(body, billed);
  for (const [name, { billedBy, agrees }] of Object.entries(RULES)) {
    for (const { path, value } of body.fieldsNamed(name)) {
      if (agrees(value, billed)) continue;
      throw contradiction(path, value, billedBy, billedBy === 'duration' ? billed.durationSeconds : billed.resolution);
    }
  }
  for (const { path, value } of COUNTS.flatMap((name) => body.fieldsNamed(name))) {
    if (value !== 1) {
      throw new GatewayError('invalid_request', `'${path}': expected 1, because one request makes one video.`, {
        param: path,
      });
    }
  }
}
