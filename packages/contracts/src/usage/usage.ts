import { INPUT_VIDEO_UNITS, VIDEO_UNITS } from './video-units.js';

/** Everything that can be billed. Counts are integers; prices are per million of a unit. */
export const UNITS = [
  'input_token',
  'cached_input_token',
  'cache_write_token',
  'cache_write_1h_token',
  'input_audio_token',
  'input_image_token',
  'output_token',
  'output_image_token',
  'image',
  'image_256',
  'image_512',
  'image_1024',
  'image_1k_low',
  'image_1k_medium',
  'image_1_5k_low',
  'image_1_5k_medium',
  'image_2k_low',
  'image_2k_medium',
  'input_image',
  'character',
  'second',
  ...VIDEO_UNITS,
  ...INPUT_VIDEO_UNITS,
  'web_search',
] as const;

export type Unit = (typeof UNITS)[number];

export type UnitCounts = Readonly<Partial<Record<Unit, number>>>;

/** Usage that the upstream made for a request in another call of its own: with another model, or another prompt. */
export interface UsageApart {
  /** The upstream's name for the call, such as `compaction`. */
  readonly type: string;
  /** The upstream's name of the model; undefined: the request's own. */
  readonly model?: string;
  readonly units: UnitCounts;
  readonly inputTokensTotal: number;
}

/** The metered usage of one upstream call. */
export interface Usage {
  /** `input_token` excludes cached and cache-written tokens, so that units add up. */
  readonly units: UnitCounts;
  /** Tokens of the complete prompt, cached ones included: prices of long prompts depend on it. */
  readonly inputTokensTotal: number;
  /** True if no count of the upstream arrived, such as for a stream cut before its end. */
  readonly isEstimated: boolean;
  /** True if the upstream has counted the prompt, although the rest may be estimated. */
  readonly isPromptCounted?: true;
  /** Not in `units`: each entry is priced by its own model and the length of its own prompt. */
  readonly apart?: readonly UsageApart[];
  /** Fields of the upstream's usage that may be billed and have no price here. */
  readonly unpriced?: readonly string[];
}

export const NO_USAGE: Usage = { units: {}, inputTokensTotal: 0, isEstimated: false };

/** The estimated tokens of texts by the sum of their `textSize`, rounded up once. */
export const estimateTokens = (size: number): number => Math.ceil(size / 4);

/** True if anything was generated. A prompt is not charged if its response broke off before any output. */
export const hasOutput = (units: UnitCounts): boolean =>
  Object.entries(units).some(([unit, count = 0]) => count > 0 && /^(output|image)/.test(unit));
