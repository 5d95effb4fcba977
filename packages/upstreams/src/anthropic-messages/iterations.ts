import { isJsonObject, type Usage, type UsageApart } from '@gateway/contracts';
import { stringAt } from '../json/read-fields.js';
import { usageOf } from '../metering/token-counts.js';
import { withUnpriced } from '../metering/unpriced-usage.js';
import { readMessagesUsage } from './usage.js';

/*
 * `usage.iterations`: platform.claude.com/docs/en/build-with-claude/compaction and the types of @anthropic-ai/sdk 1.12.
 * Entries of the type `message` add up to the top level. Those of `compaction` and `advisor_message` are not in it.
 * With an entry `fallback_message` the top level belongs to the model of that entry.
 */

type Entry = UsageApart;

/** Many times what a response can have. A longer list is a fault. */
const MOST_ITERATIONS = 1_000;

const APART = new Set(['compaction', 'advisor_message']);

function readEntry(value: unknown): Entry | undefined {
  const counts = readMessagesUsage(value);
  if (counts === undefined || !isJsonObject(value)) return undefined;
  const model = stringAt(value, 'model');
  const { units, inputTokensTotal } = usageOf(counts, false);
  return { type: stringAt(value, 'type'), ...(model !== '' && { model }), units, inputTokensTotal };
}

const sumOf = (entries: readonly Entry[], unit: keyof Usage['units']): number =>
  entries.reduce((sum, { units }) => sum + (units[unit] ?? 0), 0);

const addUpTo = (usage: Usage, entries: readonly Entry[]): boolean =>
  (['input_token', 'cached_input_token', 'cache_write_token', 'cache_write_1h_token', 'output_token'] as const).every(
    (unit) => sumOf(entries, unit) === (usage.units[unit] ?? 0),
  );

/** The top level as entries of their own, where it has another model or several prompts; else undefined. */
function topLevelApart(usage: Usage, entries: readonly Entry[]): readonly Entry[] | undefined {
  const messages = entries.filter(({ type }) => type === 'message');
  const serving = entries.find(({ type }) => type === 'fallback_message');
  if (serving !== undefined) {
    const { units, inputTokensTotal } = usage;
    // A model that declined before any output is not billed.
    const declined = messages.filter(
      ({ model, units: used }) => model !== serving.model && (used.output_token ?? 0) > 0,
    );
    return [{ ...serving, units, inputTokensTotal }, ...declined];
  }
  return messages.length > 1 && addUpTo(usage, messages) ? messages : undefined;
}

/** Splits a usage into the calls that the vendor made for it, each with its own model and length of prompt. */
export function splitIterations(usage: Usage, iterations: unknown): Usage {
  if (!Array.isArray(iterations) || iterations.length === 0) return usage;
  if (iterations.length > MOST_ITERATIONS) return withUnpriced(usage, ['iterations']);
  const read = iterations.map(readEntry);
  const entries = read.filter((entry) => entry !== undefined);
  const unreadable = read.flatMap((entry, index) => (entry === undefined ? [`iterations.${index}`] : []));
  const known = new Set([...APART, 'message', 'fallback_message']);
  const unknown = entries.filter(({ type }) => !known.has(type)).map(({ type }) => `iterations.${type}`);
  const extra = entries.filter(({ type }) => APART.has(type));
  const own = topLevelApart(usage, entries);
  const split: Usage = own === undefined ? usage : { ...usage, units: {}, inputTokensTotal: 0 };
  const apart = [...(own ?? []), ...extra];
  return withUnpriced(apart.length === 0 ? split : { ...split, apart }, [...unreadable, ...unknown]);
}
