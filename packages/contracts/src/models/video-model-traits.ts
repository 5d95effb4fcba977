/** The wires on which videos are asked for. */
export const VIDEO_PROTOCOL_IDS = ['dashscope-video', 'ark-video', 'xai-video'] as const;
export type VideoProtocolId = (typeof VIDEO_PROTOCOL_IDS)[number];

/** What the client's `input` must look like, and where the billing fields stand in the upstream's body. */
export const VIDEO_BODY_FORMATS = [
  /** DashScope, Wan 2.5 and 2.6: `input.img_url`, `input.reference_urls`; text and reference models take `parameters.size`. */
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

export interface VideoModelTraits {
  readonly bodyFormat: VideoBodyFormat;
  /** `t2v` takes text, `i2v` a first frame, `r2v` references, `any` all of them. */
  readonly mode: 't2v' | 'i2v' | 'r2v' | 'any';
  /** In lower case, such as `720p`. */
  readonly resolutions: readonly string[];
  readonly aspectRatios: readonly string[];
  /** Whole seconds: a range, or a list where only some lengths exist. */
  readonly durations: { readonly least: number; readonly most: number } | readonly number[];
  /** What makes a second cheaper than one of its resolution: the request says so, and it has a unit of its own. */
  readonly discountTiers: readonly ('silent' | 'flex' | 'draft')[];
  /** A task that has not ended after this many seconds is given up: the upstream is asked once more, then the money returned. */
  readonly deadlineSeconds: number;
  /** The wait before the first poll, in seconds: what the upstream usually needs at the least. */
  readonly firstPollSeconds: number;
}
