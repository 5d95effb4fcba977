/** What one second of a video can be, each with a price of its own: its resolution, and what makes it cheaper. */
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

export type VideoUnit = (typeof VIDEO_UNITS)[number];

/** The words of a unit's name behind its resolution, in this order. */
export interface VideoTier {
  /** Made without sound. */
  readonly isSilent: boolean;
  /** Made when the vendor has capacity to spare. */
  readonly isFlex: boolean;
  /** A rough version, to be looked at before the whole one is made. */
  readonly isDraft: boolean;
}

/** The unit that a second counts as; undefined if nobody sells such a second. */
export function videoUnitOf(resolution: string, { isSilent, isFlex, isDraft }: VideoTier): VideoUnit | undefined {
  const name = `second_${resolution}${isSilent ? '_silent' : ''}${isFlex ? '_flex' : ''}${isDraft ? '_draft' : ''}`;
  return VIDEO_UNITS.find((unit) => unit === name);
}
