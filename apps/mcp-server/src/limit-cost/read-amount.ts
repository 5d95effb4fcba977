import { type NanoUsd, nanoUsd, parseUsd } from '@gateway/money';

const DECIMALS = 9;

/** Parses an amount of US dollars, a number or a decimal string. Undefined if it is invalid or negative. */
export function readAmount(args: unknown): NanoUsd | undefined {
  const text = typeof args === 'number' && Number.isFinite(args) ? decimalOf(args) : args;
  if (typeof text !== 'string') return undefined;
  try {
    const amount = parseUsd(text.trim());
    return amount < 0n ? undefined : amount;
  } catch {
    return undefined;
  }
}

/** Formats numbers such as `1e-7` as decimals. Truncates below one nano-dollar, so that a ceiling never rises. */
const decimalOf = (value: number): string => {
  const [whole = '0', fraction = ''] = value.toFixed(DECIMALS + 3).split('.');
  return `${whole}.${fraction.slice(0, DECIMALS)}`;
};

/** Lowest of the given ceilings; undefined if all are undefined. */
export const lowest = (...ceilings: readonly (NanoUsd | undefined)[]): NanoUsd | undefined =>
  ceilings.reduce<NanoUsd | undefined>(
    (least, ceiling) => (ceiling === undefined || (least !== undefined && least <= ceiling) ? least : nanoUsd(ceiling)),
    undefined,
  );
