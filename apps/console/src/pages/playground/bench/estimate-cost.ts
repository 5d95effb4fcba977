import { nanoUsd, type Usd, usdOfNano } from '../../../format/money.js';

const MILLION = 1_000_000n;
const CHARACTERS_PER_TOKEN = 4;

/** About the tokens of a text: four characters each, as the gateway estimates them. */
export const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

export type Units = Readonly<Record<string, number>>;

/** What units cost at prices in decimal USD for a million; a unit without a price counts nothing. Rounded up once, as receipts are. */
export function costOf(units: Units, prices: Readonly<Record<string, string>>): Usd {
  const millionths = Object.entries(units).reduce((sum, [unit, count]) => {
    const price = prices[unit];
    return price === undefined ? sum : sum + nanoUsd(price) * BigInt(Math.ceil(count));
  }, 0n);
  return usdOfNano((millionths + MILLION - 1n) / MILLION);
}

export const sumUsd = (amounts: readonly Usd[]): Usd =>
  usdOfNano(amounts.reduce((sum, amount) => sum + nanoUsd(amount), 0n));
