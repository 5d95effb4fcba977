/** Vendors count these by the million, everything else one by one: an image, a second, a search. */
const COUNTED_BY_THE_MILLION = /token$|character$/;
const MILLION_DIGITS = 6;

export interface UnitPrice {
  /** `$0.30`, `$0.0241056`: every digit of the price, at least two decimals. */
  readonly amount: string;
  readonly isPerMillion: boolean;
}

/** Moves the decimal point to the left. Division of numbers would round. */
function shifted(decimal: string, digits: number): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const padded = whole.padStart(digits + 1, '0');
  return `${padded.slice(0, padded.length - digits)}.${padded.slice(padded.length - digits)}${fraction}`;
}

/** `$0.50`, `$0.0241056`: at least two decimals, and no zeros after them. */
export function withCents(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return `$${BigInt(whole).toLocaleString('en-US')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** The price of a unit as a person compares it: a million tokens or characters, else one. `perMillion`: decimal USD. */
export function unitPrice(unit: string, perMillion: string): UnitPrice {
  const isPerMillion = COUNTED_BY_THE_MILLION.test(unit);
  return { isPerMillion, amount: withCents(isPerMillion ? perMillion : shifted(perMillion, MILLION_DIGITS)) };
}

/** `$0.30 / 1M`, `$0.10`. */
export function shortPrice(unit: string, perMillion: string): string {
  const { amount, isPerMillion } = unitPrice(unit, perMillion);
  return isPerMillion ? `${amount} / 1M` : amount;
}
