import type { PriceOverride, PriceVersion } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/**
 * The price of a model at a moment, for an account with these prices of its own. Undefined before the model's first
 * price: such a request must be refused, never free.
 */
export function priceAt(
  model: CatalogueModel,
  atMs: number,
  overrides: readonly PriceOverride[] = [],
): PriceVersion | undefined {
  const dated = model.prices.findLast(({ from }) => Date.parse(from) <= atMs);
  if (dated === undefined) return undefined;
  const { from, ...price } = dated;
  const listed: PriceVersion = { version: `${model.id}@${from}`, ...price };
  const own = overrideAt(model.id, atMs, overrides);
  return own === undefined ? listed : overridden(listed, own);
}

/** The latest that has begun; of two that begin at the same moment the one made later. */
function overrideAt(modelId: string, atMs: number, overrides: readonly PriceOverride[]): PriceOverride | undefined {
  let latest: PriceOverride | undefined;
  for (const one of overrides) {
    if (one.model !== modelId || one.fromMs > atMs) continue;
    if (latest === undefined || one.fromMs > latest.fromMs || isLater(one, latest)) latest = one;
  }
  return latest?.perMillion === null ? undefined : latest;
}

const isLater = (one: PriceOverride, other: PriceOverride): boolean =>
  one.fromMs === other.fromMs && BigInt(one.id) > BigInt(other.id);

const pricesByOverride = new WeakMap<PriceOverride, PriceVersion>();

/** Made once for each override: sums are kept by the prices' identity. */
function overridden(listed: PriceVersion, own: PriceOverride): PriceVersion {
  const version = `${listed.version}+${own.id}`;
  const known = pricesByOverride.get(own);
  if (known?.version === version) return known;
  const made: PriceVersion = {
    version,
    perMillion: { ...listed.perMillion, ...own.perMillion },
    ...(listed.longPrompt !== undefined && {
      longPrompt: {
        aboveInputTokens: listed.longPrompt.aboveInputTokens,
        perMillion: { ...listed.longPrompt.perMillion, ...own.longPromptPerMillion },
      },
    }),
  };
  pricesByOverride.set(own, made);
  return made;
}
