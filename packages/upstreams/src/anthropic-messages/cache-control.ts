import type { CacheMark } from '@gateway/contracts';
import type { CacheControl } from './wire.js';

/** Encodes a cache mark: platform.claude.com/docs/en/build-with-claude/prompt-caching. */
export const cacheControlOf = (cache: CacheMark | undefined): { readonly cache_control?: CacheControl } =>
  cache === undefined
    ? {}
    : { cache_control: { type: 'ephemeral', ...(cache.ttl !== undefined && { ttl: cache.ttl }) } };
