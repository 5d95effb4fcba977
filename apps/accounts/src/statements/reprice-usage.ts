import { type CatalogueModel, priceAt, unitPricesFor } from '@gateway/catalogue';
import type { PriceOverride } from '@gateway/contracts';
import { costOf, type NanoUsd, ratesOf } from '@gateway/money';

/** The usage of one model in a period. */
export interface ModelUsage {
  readonly model: string;
  readonly requests: bigint;
  readonly costNanoUsd: bigint;
  readonly units: Readonly<Record<string, number>>;
}

export interface RepricedUsage extends ModelUsage {
  /** Null: the other model does not price one of the units. */
  readonly otherNanoUsd: NanoUsd | null;
  readonly unpricedUnits: readonly string[];
}

const SHORT_PROMPT = 0;

/**
 * What the same units would have cost on another model today, at the prices of this account. The sums do not know the
 * length of each prompt, so all have the price of short prompts.
 */
export function repriceUsage(
  lines: readonly ModelUsage[],
  other: CatalogueModel,
  overrides: readonly PriceOverride[],
  nowMs: number,
): readonly RepricedUsage[] {
  const price = priceAt(other, nowMs, overrides);
  const unitPrices: Readonly<Record<string, string>> = price === undefined ? {} : unitPricesFor(price, SHORT_PROMPT);
  const rates = ratesOf(unitPrices);
  return lines.map((line) => {
    const unpricedUnits = Object.keys(line.units).filter(
      (unit) => (line.units[unit] ?? 0) > 0 && unitPrices[unit] === undefined,
    );
    return { ...line, unpricedUnits, otherNanoUsd: unpricedUnits.length > 0 ? null : costOf(line.units, rates) };
  });
}
