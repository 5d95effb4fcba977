import type { PriceOverride, PriceVersion } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/**
 * The price of a model at a moment (Unix milliseconds), for an account with these overrides. A model that its successor
 * serves has the successor's price, name of it included: overrides of the retired id do not apply.
 * Undefined before the model's first price: such a request must be rejected, never free.
 */
export function priceAt(
  model: CatalogueModel,
  atMs: number,
  overrides: readonly PriceOverride[] = [],
): PriceVersion | undefined {
  const dated = model.prices.findLast(({ from }) => Date.parse(from) <= atMs);
  if (dated === undefined) return undefined;
  const { from, ...price } = dated;
  const pricedId = model.servedBy ?? model.id;
  const listed: PriceVersion = { version: `${pricedId}@${from}`, ...price };
  const override = overrideAt(pricedId, atMs, overrides);
  return override === undefined ? listed : applyOverride(listed, override);
}

/** The latest override that has begun; among equals the one created last. */
function overrideAt(modelId: string, atMs: number, overrides: readonly PriceOverride[]): PriceOverride | undefined {
  let latest: PriceOverride | undefined;
  for (const candidate of overrides) {
    if (candidate.model !== modelId || candidate.fromMs > atMs) continue;
    if (latest === undefined || candidate.fromMs > latest.fromMs || isNewer(candidate, latest)) latest = candidate;
  }
  return latest?.perMillion === null ? undefined : latest;
}

const isNewer = (one: PriceOverride, other: PriceOverride): boolean =>
  one.fromMs === other.fromMs && BigInt(one.id) > BigInt(other.id);

const pricesByOverride = new WeakMap<PriceOverride, PriceVersion>();

/** One object for each override, because `usageCost` caches rates by object identity. */
function applyOverride(listed: PriceVersion, override: PriceOverride): PriceVersion {
  const version = `${listed.version}+${override.id}`;
  const cached = pricesByOverride.get(override);
  if (cached?.version === version) return cached;
  const applied: PriceVersion = {
    version,
    perMillion: { ...listed.perMillion, ...override.perMillion },
    ...(listed.longPrompt !== undefined && {
      longPrompt: {
        aboveInputTokens: listed.longPrompt.aboveInputTokens,
        perMillion: { ...listed.longPrompt.perMillion, ...override.longPromptPerMillion },
      },
    }),
  };
  pricesByOverride.set(override, applied);
  return applied;
}
