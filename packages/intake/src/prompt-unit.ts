import { hasNativeMessages, type ModelWithCapability } from '@gateway/catalogue';
import type { MessagesSize, Unit } from '@gateway/contracts';
import { type PromptUnits, promptUnitsOf } from './media/input-usage.js';

/** The most expensive cache that a request writes. */
export type Caching = MessagesSize['caching'];

const UNIT = {
  none: 'input_token',
  '5m': 'cache_write_token',
  '1h': 'cache_write_1h_token',
} as const satisfies Record<Caching, Unit>;

/** What a model with marks for the cache writes for `prompt_cache_key`. */
export const cachingOfKey = (request: object): Caching =>
  (request as { readonly prompt_cache_key?: unknown }).prompt_cache_key == null ? 'none' : '5m';

/**
 * The units of a prompt with marks for the cache. Only the vendor of the native messages format has such marks, so that
 * `cachingOf` is asked for its models only.
 */
export const cachedPromptUnits = (model: ModelWithCapability<'chat'>, cachingOf: () => Caching): PromptUnits =>
  promptUnitsOf(model, hasNativeMessages(model) ? UNIT[cachingOf()] : UNIT.none);
