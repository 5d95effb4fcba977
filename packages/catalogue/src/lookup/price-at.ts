import type { PriceVersion } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/** The price of a model at a moment. Undefined before its first price: such a request must be refused, never free. */
export function priceAt(model: CatalogueModel, atMs: number): PriceVersion | undefined {
  const dated = model.prices.findLast(({ from }) => Date.parse(from) <= atMs);
  if (dated === undefined) return undefined;
  const { from, ...price } = dated;
  return { version: `${model.id}@${from}`, ...price };
}
