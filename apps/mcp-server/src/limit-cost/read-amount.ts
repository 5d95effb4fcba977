import { type NanoUsd, nanoUsd, parseUsd } from '@gateway/money';

const DECIMALS = 9;

/** An amount of USD as a client writes it, a number or a decimal text. Undefined if it is neither, or below zero. */
export function readAmount(given: unknown): NanoUsd | undefined {
  const text = typeof given === 'number' && Number.isFinite(given) ? decimalOf(given) : given;
  if (typeof text !== 'string') return undefined;
  try {
    const amount = parseUsd(text.trim());
    return amount < 0n ? undefined : amount;
  } catch {
    return undefined;
  }
}

/** `1e-7` is a number to a client and no decimal; what is smaller than a nano-dollar is cut off, so a ceiling never rises. */
const decimalOf = (value: number): string => {
  const [whole = '0', fraction = ''] = value.toFixed(DECIMALS + 3).split('.');
  return `${whole}.${fraction.slice(0, DECIMALS)}`;
};

/** The lowest of the ceilings that were set; undefined if none was. */
export const lowest = (...ceilings: readonly (NanoUsd | undefined)[]): NanoUsd | undefined =>
  ceilings.reduce<NanoUsd | undefined>(
    (least, ceiling) => (ceiling === undefined || (least !== undefined && least <= ceiling) ? least : nanoUsd(ceiling)),
    undefined,
  );
