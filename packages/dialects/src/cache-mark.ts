import type { CacheMark } from '@gateway/contracts';

/**
 * `cache_control` of a request, a block, a part or a tool: platform.claude.com/docs/en/build-with-claude/prompt-caching.
 * Clients of other gateways send it in chat completions too.
 */
export function cacheOf(block: object): CacheMark | undefined {
  const { cache_control: control } = block as { readonly cache_control?: { readonly ttl?: unknown } | null };
  if (control == null) return undefined;
  return control.ttl === '1h' ? { ttl: '1h' } : {};
}
