/** Billionths of a US dollar: the only form in which money is added, compared or stored. */
export type NanoUsd = bigint & { readonly __unit: 'nano-USD' };

const NANO_PER_USD = 1_000_000_000n;
const DECIMAL_USD = /^(-?)(\d+)(?:\.(\d{1,9}))?$/;

export const nanoUsd = (value: bigint): NanoUsd => value as NanoUsd;

/** Parses decimal USD such as `"4.998213"`. Throws a RangeError for other text, also for more than 9 decimals. */
export function parseUsd(decimal: string): NanoUsd {
  const match = DECIMAL_USD.exec(decimal);
  if (match === null)
    throw new RangeError(`USD must be a decimal with at most 9 decimals, but is ${JSON.stringify(decimal)}`);
  const [, sign, integer, fraction = ''] = match;
  const value = BigInt(integer as string) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return nanoUsd(sign === '-' ? -value : value);
}

/** Decimal USD with at least two and at most nine decimals: `5_000_000n` is `"0.005"`, `0n` is `"0.00"`. */
export function formatUsd(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(10, '0');
  const point = digits.length - 9;
  let end = digits.length;
  while (end > point + 2 && digits[end - 1] === '0') end -= 1;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

/** Parses nano-USD digits, the form of amounts in JSON. Throws a RangeError for other text. */
export const parseNanoUsd = (digits: string): NanoUsd => {
  if (!/^-?\d+$/.test(digits)) throw new RangeError(`nano-USD must be an integer, but is ${JSON.stringify(digits)}`);
  return nanoUsd(BigInt(digits));
};
