import type { SeedanceModel } from './seedance-models.js';
import type { Size } from './sizes.js';

export const FRAMES_PER_SECOND = 24;
const DOTS_PER_TOKEN = 1_024;
/** Tenths of what the same video costs when it is no draft. */
const DRAFT_TENTHS = { withSound: 6, silent: 7 };

interface Countable extends Size {
  readonly seconds: number;
  readonly isDraft: boolean;
  readonly generatesAudio: boolean;
}

/** Tokens of a video: its dots by its frames; since generation 1.5 there is one frame more than its seconds have. */
export function countTokens({ generation }: SeedanceModel, video: Countable): number {
  const { width, height, seconds, isDraft, generatesAudio } = video;
  const frames = Math.round(seconds * FRAMES_PER_SECOND) + (generation === '1.0' ? 0 : 1);
  const tokens = Math.floor((width * height * frames) / DOTS_PER_TOKEN);
  const tenths = generatesAudio ? DRAFT_TENTHS.withSound : DRAFT_TENTHS.silent;
  return isDraft ? Math.floor((tokens * tenths) / 10) : tokens;
}

interface Priced {
  readonly resolution: string;
  readonly hasVideo: boolean;
  readonly generatesAudio: boolean;
  readonly serviceTier: string;
}

/** The name of a token by what its price depends on, such as `video_token_1080p_video_input`. */
export function tokenUnit({ generation }: SeedanceModel, priced: Priced): string {
  const isLarge = generation === '2.x' && (priced.resolution === '1080p' || priced.resolution === '4k');
  return [
    'video_token',
    ...(isLarge ? [priced.resolution] : []),
    ...(priced.hasVideo ? ['video_input'] : []),
    ...(generation === '1.5' && !priced.generatesAudio ? ['silent'] : []),
    ...(priced.serviceTier === 'flex' ? ['flex'] : []),
  ].join('_');
}
