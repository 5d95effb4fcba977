import { type NanoUsd, nanoUsd, parseUsd } from './nano-usd.js';

/** Nano-USD for one million of each unit. */
export type Rates = Readonly<Record<string, bigint>>;

const UNITS_PER_RATE = 1_000_000n;
/** More than the different prices of a catalogue. */
const MOST_PARSED = 2_000;

const parsed = new Map<string, bigint>();

/** Each request has its prices as text: the few different ones are parsed once. */
function rateOf(decimal: string): bigint {
  const known = parsed.get(decimal);
  if (known !== undefined) return known;
  const rate = parseUsd(decimal);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(decimal, rate);
  return rate;
}

/** Parses decimal USD per million of each unit. Throws a RangeError for an invalid decimal. */
export function ratesOf(perMillion: Readonly<Partial<Record<string, string>>>): Rates {
  const rates: Record<string, bigint> = {};
  for (const [unit, decimal] of Object.entries(perMillion)) {
    if (decimal !== undefined) rates[unit] = rateOf(decimal);
  }
  return rates;
}

/**
 * The cost of the units. It divides the sum once and rounds up once.
 * Throws a RangeError for a unit without a price, because no unit is free by omission. Throws a RangeError for a count
 * that is not a whole number from 0.
 */
export function costOf(units: Readonly<Partial<Record<string, number>>>, rates: Rates): NanoUsd {
  let total = 0n;
  for (const [unit, count] of Object.entries(units)) {
    if (count === undefined || count === 0) continue;
    if (!Number.isSafeInteger(count) || count < 0)
      throw new RangeError(`the count of ${unit} must be a whole number from 0, but is ${count}`);
    const rate = rates[unit];
    if (rate === undefined) throw new RangeError(`the unit ${unit} must have a price`);
    total += BigInt(count) * rate;
  }
  return nanoUsd((total + UNITS_PER_RATE - 1n) / UNITS_PER_RATE);
}

/** The largest count of a unit whose cost is at most the amount. Throws a RangeError for a unit without a price above 0. */
export function countOf(unit: string, amount: bigint, rates: Rates): number {
  const rate = rates[unit] ?? 0n;
  if (rate <= 0n) throw new RangeError(`the unit ${unit} must have a price above 0`);
  return amount <= 0n ? 0 : Number((amount * UNITS_PER_RATE) / rate);
}
