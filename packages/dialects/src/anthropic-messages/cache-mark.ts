import type { CacheMark } from '@gateway/contracts';

/** `cache_control` of a block or a tool: platform.claude.com/docs/en/build-with-claude/prompt-caching. */
export function cacheOf(block: object): CacheMark | undefined {
  const { cache_control: control } = block as { readonly cache_control?: { readonly ttl?: unknown } | null };
  if (control == null) return undefined;
  return control.ttl === '1h' ? { ttl: '1h' } : {};
}
