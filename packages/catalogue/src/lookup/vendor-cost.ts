import type { PriceVersion, Usage } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';
import { chargeInputSeconds } from './charge-input-seconds.js';
import { priceAt } from './price-at.js';
import { usageCost } from './usage-cost.js';

const versions = new WeakMap<object, PriceVersion>();

/** What the vendor bills for a model at a moment (Unix milliseconds), input seconds included. Undefined: before its first price. */
export function vendorPriceAt(model: CatalogueModel, atMs: number): PriceVersion | undefined {
  if (model.vendorCosts === undefined) return priceAt(chargeInputSeconds(model), atMs);
  const dated = model.vendorCosts.findLast(({ from }) => Date.parse(from) <= atMs);
  if (dated === undefined) return undefined;
  const known = versions.get(dated);
  if (known !== undefined) return known;
  const { from, ...price } = dated;
  const version = { version: `${model.servedBy ?? model.id}@${from}:vendor`, ...price };
  versions.set(dated, version);
  return version;
}

/** What the vendor bills for a usage, in nano-USD. Undefined: a unit has no price, so that the cost is unknown. */
export function vendorCostOf(
  model: CatalogueModel,
  usage: Pick<Usage, 'units' | 'inputTokensTotal'>,
  atMs: number,
): bigint | undefined {
  const price = vendorPriceAt(model, atMs);
  if (price === undefined) return undefined;
  try {
    return usageCost(usage, price);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
