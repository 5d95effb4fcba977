import type { PriceVersion, Unit, UnitPrices, Usage } from '@gateway/contracts';
import { costOf, countOf, type NanoUsd, type Rates, ratesOf } from '@gateway/money';

const ratesByPrices = new WeakMap<UnitPrices, Rates>();

function ratesFor(prices: UnitPrices): Rates {
  let rates = ratesByPrices.get(prices);
  if (rates === undefined) {
    rates = ratesOf(prices);
    ratesByPrices.set(prices, rates);
  }
  return rates;
}

/** The unit prices for a prompt of this length. */
export function unitPricesFor(price: PriceVersion, inputTokensTotal: number): UnitPrices {
  const { longPrompt } = price;
  return longPrompt !== undefined && inputTokensTotal > longPrompt.aboveInputTokens
    ? longPrompt.perMillion
    : price.perMillion;
}

/** The cost of a usage in nano-USD, rounded up once. Throws a RangeError for a unit without a price. */
export const usageCost = (usage: Pick<Usage, 'units' | 'inputTokensTotal'>, price: PriceVersion): NanoUsd =>
  costOf(usage.units, ratesFor(unitPricesFor(price, usage.inputTokensTotal)));

/** The number of a unit that an amount in nano-USD pays for. Throws a RangeError for a unit without a price or for free. */
export const countFor = (
  unit: Unit,
  amountNanoUsd: bigint,
  { price, inputTokensTotal }: { readonly price: PriceVersion; readonly inputTokensTotal: number },
): number => countOf(unit, amountNanoUsd, ratesFor(unitPricesFor(price, inputTokensTotal)));
