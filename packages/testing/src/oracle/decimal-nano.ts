const DECIMALS = 9;

/*
 * The test kit's own arithmetic of money. It shares no code with what it checks.
 */

/** Decimal USD as whole nano-USD. Throws on anything but a plain decimal. */
export function nanoOf(decimal: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (match === null) throw new Error(`not a decimal: ${decimal}`);
  const [, sign = '', whole = '0', fraction = ''] = match;
  if (fraction.length > DECIMALS) throw new Error(`finer than a billionth: ${decimal}`);
  const digits = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -digits : digits;
}
