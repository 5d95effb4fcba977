import { isJsonObject, type JsonObject, type Usage } from '@gateway/contracts';

/** What the gateway knows of a vendor's usage object, by path such as `prompt_tokens_details.cached_tokens`. */
export interface KnownUsage {
  /** Counts that are priced, parts of a priced count, and counts without a price. */
  readonly counts: ReadonlySet<string>;
  /** Words such as a tier, with the values that have the model's price. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

/** A broken upstream must not fill logs and metrics. */
const MAX_FIELDS = 8;
const MAX_PATH_CHARACTERS = 64;
/** No vendor nests its counts deeper, and a search to the end of a broken one would exhaust the stack. */
const MAX_DEPTH = 8;

const isUnpriced = (value: unknown): boolean =>
  (typeof value === 'number' && value > 0) || (Array.isArray(value) && value.length > 0);

function collect(usage: JsonObject, known: KnownUsage, parent: string, depth: number, found: string[]): void {
  if (depth > MAX_DEPTH) return;
  for (const [name, value] of Object.entries(usage)) {
    if (found.length >= MAX_FIELDS) return;
    const path = parent === '' ? name : `${parent}.${name}`;
    if (known.counts.has(path)) continue;
    const words = known.words?.[path];
    if (typeof value === 'string' ? words?.includes(value) === false : isUnpriced(value)) {
      found.push(path.slice(0, MAX_PATH_CHARACTERS));
    }
    if (isJsonObject(value)) collect(value, known, path, depth + 1, found);
  }
}

/** The fields of a reported usage that may be billed and have no price here. */
export function unpricedIn(reported: unknown, known: KnownUsage): readonly string[] {
  const found: string[] = [];
  if (isJsonObject(reported)) collect(reported, known, '', 1, found);
  return found;
}

/** Adds the unpriced fields of the reported usage, which the caller raises as an alarm. */
export function withUnpriced(usage: Usage, unpriced: readonly string[]): Usage {
  if (unpriced.length === 0) return usage;
  return { ...usage, unpriced: [...(usage.unpriced ?? []), ...unpriced].slice(0, MAX_FIELDS) };
}
