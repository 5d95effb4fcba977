import type { VideoCapability } from '@gateway/catalogue';
import { inputVideoUnitOf, type UnitCounts, type VideoUnit } from '@gateway/contracts';
import type { BilledVideo } from './billed-video.js';
import type { VideoBody } from './video-body.js';

/** Entries of `media` that are no video. Any other entry may be one, so it is held as one. */
const OTHER_MEDIA: readonly unknown[] = [
  ...['first_frame', 'last_frame', 'reference_image'],
  ...['driving_audio', 'reference_audio'],
];

const isClip = (entry: unknown): boolean =>
  !(typeof entry === 'object' && entry !== null && 'type' in entry && OTHER_MEDIA.includes(entry.type));

/** The most seconds of input videos that the vendor can bill for this request. Empty unless they are charged. */
export function mostInputSeconds(
  { inputSeconds, chargesInputSeconds }: VideoCapability,
  unit: VideoUnit,
  { durationSeconds }: BilledVideo,
  body: VideoBody,
): UnitCounts {
  const inputUnit = inputVideoUnitOf(unit);
  if (chargesInputSeconds !== true || inputSeconds === undefined || inputUnit === undefined) return {};
  const entries = body.fieldsNamed('media').flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  const clips = entries.filter(isClip).length;
  const { mostOfOne, most, mostWithOutput } = inputSeconds;
  const beside = mostWithOutput === undefined ? most : Math.max(0, mostWithOutput - durationSeconds);
  const seconds = Math.min(clips * mostOfOne, most, beside);
  return seconds === 0 ? {} : { [inputUnit]: seconds };
}
