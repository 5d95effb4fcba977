/** The price units of a second of video: its resolution and its discount tiers. */
export const VIDEO_UNITS = [
  'second_480p',
  'second_720p',
  'second_1080p',
  'second_4k',
  'second_480p_silent',
  'second_720p_silent',
  'second_1080p_silent',
  'second_480p_flex',
  'second_720p_flex',
  'second_1080p_flex',
  'second_480p_silent_flex',
  'second_720p_silent_flex',
  'second_1080p_silent_flex',
  'second_480p_draft',
  'second_480p_silent_draft',
] as const;

/** The price units of a second of an input video, by the resolution of the generated one. */
export const INPUT_VIDEO_UNITS = ['input_second_480p', 'input_second_720p', 'input_second_1080p'] as const;

export type InputVideoUnit = (typeof INPUT_VIDEO_UNITS)[number];

/** The unit of the input seconds beside a unit of generated seconds; undefined if none has a price. */
export const inputVideoUnitOf = (unit: string): InputVideoUnit | undefined =>
  INPUT_VIDEO_UNITS.find((candidate) => candidate === `input_${unit}`);

export type VideoUnit = (typeof VIDEO_UNITS)[number];

/** The discount tiers of a second, in the order of a unit's name. */
export interface VideoTier {
  /** Generated without audio. */
  readonly isSilent: boolean;
  /** Generated when the vendor has spare capacity. */
  readonly isFlex: boolean;
  /** A rough preview of the final video. */
  readonly isDraft: boolean;
}

/** The price unit of a second; undefined if no model sells that combination. */
export function videoUnitOf(resolution: string, { isSilent, isFlex, isDraft }: VideoTier): VideoUnit | undefined {
  const name = `second_${resolution}${isSilent ? '_silent' : ''}${isFlex ? '_flex' : ''}${isDraft ? '_draft' : ''}`;
  return VIDEO_UNITS.find((unit) => unit === name);
}
