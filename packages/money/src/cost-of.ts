import { type NanoUsd, nanoUsd, parseUsd } from './nano-usd.js';

/** Nano-USD for one million of each unit. */
export type Rates = Readonly<Record<string, bigint>>;

const PER = 1_000_000n;

/** Decimal USD per million of each unit → rates. */
export function ratesOf(perMillion: Readonly<Partial<Record<string, string>>>): Rates {
  const rates: Record<string, bigint> = {};
  for (const [unit, decimal] of Object.entries(perMillion)) {
    if (decimal !== undefined) rates[unit] = parseUsd(decimal);
  }
  return rates;
}

/**
 * What the units cost: everything is multiplied first, divided once and rounded up once.
 * Throws a RangeError for a unit without a price (it is never free) and for a count that is not a whole number ≥ 0.
 */
export function costOf(units: Readonly<Partial<Record<string, number>>>, rates: Rates): NanoUsd {
  let total = 0n;
  for (const [unit, count] of Object.entries(units)) {
    if (count === undefined || count === 0) continue;
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`not a count of ${unit}: ${count}`);
    const rate = rates[unit];
    if (rate === undefined) throw new RangeError(`no price for unit ${unit}`);
    total += BigInt(count) * rate;
  }
  return nanoUsd((total + PER - 1n) / PER);
}
