/** Upstream protocols of video; each has a folder in `packages/upstreams`. */
export const VIDEO_PROTOCOL_IDS = ['dashscope-video', 'ark-video', 'xai-video'] as const;
export type VideoProtocolId = (typeof VIDEO_PROTOCOL_IDS)[number];

/** The shape of the client's `input`, and where the upstream's body holds the billing fields. */
export const VIDEO_BODY_FORMATS = [
  /** DashScope, Wan 2.5 and 2.6: `input.img_url`, `input.reference_urls`; text and reference models use `parameters.size`. */
  'wan-2.6',
  /** DashScope, Wan 2.7: `input.media`; `parameters.resolution` in upper case. */
  'wan-2.7',
  'wan-3.0',
  'happyhorse',
  /** Ark: `input.content`; everything else beside it. */
  'seedance',
  'grok',
] as const;
export type VideoBodyFormat = (typeof VIDEO_BODY_FORMATS)[number];

/** A model's traits for the video protocols. */
export interface VideoModelTraits {
  readonly bodyFormat: VideoBodyFormat;
  /** Accepted input: `t2v` text, `i2v` a first frame, `r2v` references, `any` all of them. */
  readonly mode: 't2v' | 'i2v' | 'r2v' | 'any';
  /** Lower case, such as `720p`. */
  readonly resolutions: readonly string[];
  readonly aspectRatios: readonly string[];
  /** Accepted lengths in whole seconds: a range, or a list. */
  readonly durations: { readonly least: number; readonly most: number } | readonly number[];
  /** Discounts that a request can choose; each combination has its own price unit. */
  readonly discountTiers: readonly ('silent' | 'flex' | 'draft')[];
  /** Seconds until a task expires. The worker polls it a last time, then releases its hold. */
  readonly deadlineSeconds: number;
  /** Seconds until the first poll: the shortest time that the upstream usually needs. */
  readonly firstPollSeconds: number;
}
