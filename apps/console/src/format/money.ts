/** A decimal string with up to nine decimals, as the account interface gives amounts. */
export type Usd = string;

interface Digits {
  readonly sign: string;
  readonly whole: string;
  readonly fraction: string;
}

function digitsOf(amount: Usd): Digits {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  return { sign: amount.startsWith('-') ? '−' : '', whole, fraction };
}

const grouped = (whole: string): string => BigInt(whole).toLocaleString('en-US');

/** Three digits that matter below a dollar, cents above. Never fewer than two decimals. */
function decimalsThatMatter({ whole, fraction }: Digits): number {
  if (whole !== '0') return 2;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return zeros >= fraction.length ? 2 : Math.max(2, Math.min(fraction.length, zeros + 3));
}

/** `$12.40`, `$0.00123`, `−$3.00`: cut, never rounded up, so that a sum of what is shown never exceeds the account. */
export function shortUsd(amount: Usd): string {
  const digits = digitsOf(amount);
  const decimals = decimalsThatMatter(digits);
  return `${digits.sign}$${grouped(digits.whole)}.${digits.fraction.padEnd(decimals, '0').slice(0, decimals)}`;
}

/** All nine decimals: `$0.001234500`. */
export function exactUsd(amount: Usd): string {
  const { sign, whole, fraction } = digitsOf(amount);
  return `${sign}$${grouped(whole)}.${fraction.padEnd(9, '0')}`;
}

const NANO = 1_000_000_000n;

/** In billionths of a dollar, for exact sums. */
export function nanoUsd(amount: Usd): bigint {
  const { sign, whole, fraction } = digitsOf(amount);
  const nano = BigInt(whole) * NANO + BigInt(fraction.padEnd(9, '0'));
  return sign === '' ? nano : -nano;
}

/** The decimal string of billionths of a dollar. */
export function usdOfNano(nano: bigint): Usd {
  const size = nano < 0n ? -nano : nano;
  return `${nano < 0n ? '-' : ''}${size / NANO}.${(size % NANO).toString().padStart(9, '0')}`;
}

/** For the height of a bar only, never for a figure. */
export const approximateUsd = (amount: Usd): number => Number(amount);
