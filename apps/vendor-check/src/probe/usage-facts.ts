type Path = string;

/** Counters of a vendor's usage that the adapters read, or that repeat others. Everything else could be an unknown price. */
const KNOWN =
  /^(prompt|completion|input|output|total|cached?|cache_(read|creation)_input|candidates|thoughts|reasoning|text|image|audio|video|prefill|decode|accepted_prediction|rejected_prediction|tool_use_prompt|cached_content|generated|toolUsePrompt|cachedContent|ephemeral_(5m|1h)_input)_?(tokens?|Token(s|Count)|token_count|images|Count)$|^(image_count|images|characters|width|height|seconds|duration|web_search_requests|cost_in_usd_ticks|num_images)$/i;
/** Objects whose members split a counter that stands beside them. */
const DETAILS = /details?|modalit|by_modality|cache_creation|server_tool_use/i;

/** All `usage` and `usageMetadata` objects of a body: JSON, or the events of a stream. */
export function usagesIn(text: string): readonly Record<string, unknown>[] {
  const documents = text.trimStart().startsWith('{')
    ? [text]
    : text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
  return documents.flatMap((document) => {
    try {
      return usagesOf(JSON.parse(document));
    } catch {
      // `[DONE]` and the like.
      return [];
    }
  });
}

function usagesOf(value: unknown): readonly Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    /^(usage|usageMetadata)$/.test(name) && typeof member === 'object' && member !== null
      ? [member as Record<string, unknown>]
      : usagesOf(member),
  );
}

/** Paths of counters above zero that no adapter knows, such as `iterations.0.tokens`. */
export function unknownCounters(usage: Record<string, unknown>, prefix: Path = ''): readonly Path[] {
  return Object.entries(usage).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (typeof value === 'number') return value > 0 && !KNOWN.test(name) ? [path] : [];
    if (typeof value !== 'object' || value === null || DETAILS.test(name)) return [];
    return unknownCounters(value as Record<string, unknown>, `${path}.`);
  });
}

/** What xAI says that a call costs, in nano-USD: 10^10 ticks are a dollar. */
export function statedCostNanoUsd(usages: readonly Record<string, unknown>[]): bigint | undefined {
  const ticks = usages.find(({ cost_in_usd_ticks: ticks }) => typeof ticks === 'number')?.cost_in_usd_ticks;
  return typeof ticks === 'number' ? BigInt(ticks) / 10n : undefined;
}
