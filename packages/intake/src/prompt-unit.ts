import { hasNativeMessages, type ModelWithCapability } from '@gateway/catalogue';
import type { MessagesSize, Unit } from '@gateway/contracts';

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
 * The unit of a prompt with marks for the cache. Only the vendor of the native messages format has such marks, so that
 * `cachingOf` is asked for its models only.
 */
export const promptUnitOf = (model: ModelWithCapability<'chat'>, cachingOf: () => Caching): Unit =>
  hasNativeMessages(model) ? UNIT[cachingOf()] : UNIT.none;
