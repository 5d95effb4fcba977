import { VIDEO_UNITS } from './video-units.js';

/** What upstreams count. Each is an integer; prices are per one million of a unit. */
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
  'web_search',
] as const;

export type Unit = (typeof UNITS)[number];

export type UnitCounts = Readonly<Partial<Record<Unit, number>>>;

/**
 * What one upstream call used. `input_token` excludes cached and cache-written tokens, so that units add up.
 * `isEstimated` is true where the upstream's own count did not arrive (a stream cut before its end).
 * `inputTokensTotal` is the whole prompt, cached parts included: some prices depend on it.
 */
export interface Usage {
  readonly units: UnitCounts;
  readonly inputTokensTotal: number;
  readonly isEstimated: boolean;
}

export const NO_USAGE: Usage = { units: {}, inputTokensTotal: 0, isEstimated: false };

/** The documented neutral estimate of a text's tokens: its UTF-8 bytes divided by four, rounded up. */
export const estimateTokens = (utf8Bytes: number): number => Math.ceil(utf8Bytes / 4);

/** True if anything was generated. A customer does not pay for a prompt whose answer broke off before its first word. */
export const hasOutput = (units: UnitCounts): boolean =>
  Object.entries(units).some(([unit, count = 0]) => count > 0 && /^(output|image)/.test(unit));
