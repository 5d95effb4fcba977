import { countFor, usageCost } from '@gateway/catalogue';
import { type HoldRange, type PriceVersion, type TokenHold, tokenCount, type Usage } from '@gateway/contracts';

/** The output that a request without a cap gets at least, unless its model has less. */
export const LEAST_OUTPUT_TOKENS = 4_096;

/** What a valid request may use. */
export interface WorstCase {
  /** The maximum usage that the request can have. */
  readonly worstCase: Usage;
  /** Present if the client set no output cap: admission may cap the output, but not below this number of tokens. */
  readonly leastOutputTokens?: number;
  /** Media that the gateway has not seen are held at the most that they can be. */
  readonly refersToMedia?: true;
}

/** The amounts between which admission chooses, in nano-USD. */
export interface HoldAmounts {
  readonly leastNanoUsd: bigint;
  /** Absent if the request has one amount. */
  readonly range?: HoldRange;
}

/** The hold of a request at a price. Throws a RangeError for a unit without a price. */
export function holdAmounts(valid: WorstCase, price: PriceVersion): HoldAmounts {
  const { leastOutputTokens, worstCase } = valid;
  const mostNanoUsd = usageCost(worstCase, price);
  if (leastOutputTokens === undefined) return { leastNanoUsd: mostNanoUsd };
  return {
    leastNanoUsd: usageCost(withOutput(worstCase, leastOutputTokens), price),
    range: { fixedNanoUsd: usageCost(withOutput(worstCase, 0), price), mostNanoUsd },
  };
}

/** The tokens that a request may use, for caps of tokens. */
export function tokenHold({ worstCase, leastOutputTokens }: WorstCase): TokenHold {
  const most = tokenCount(worstCase.units);
  if (leastOutputTokens === undefined) return { least: most };
  const fixed = most - (worstCase.units.output_token ?? 0);
  return { least: fixed + leastOutputTokens, range: { fixed, most } };
}

/** The output cap that an amount pays for. Undefined: the client has its own cap, or the amount pays for every output. */
export function outputCapOf(
  { worstCase, leastOutputTokens }: WorstCase,
  price: PriceVersion,
  { range, heldNanoUsd }: { readonly range: HoldRange | undefined; readonly heldNanoUsd: bigint },
): number | undefined {
  if (range === undefined || leastOutputTokens === undefined || heldNanoUsd >= range.mostNanoUsd) return undefined;
  const { inputTokensTotal } = worstCase;
  const affordable = countFor('output_token', heldNanoUsd - range.fixedNanoUsd, { price, inputTokensTotal });
  return Math.max(leastOutputTokens, affordable);
}

/** The hold that admission would choose now, for a quote. */
export interface QuotedHold extends HoldAmounts {
  readonly heldNanoUsd: bigint;
  /** What the hold covers. */
  readonly usage: Usage;
  readonly outputCap?: number;
}

/** `canSpendNanoUsd`: the account's balance without what running requests hold. Throws as `holdAmounts`. */
export function quoteHold(valid: WorstCase, price: PriceVersion, canSpendNanoUsd: bigint): QuotedHold {
  const amounts = holdAmounts(valid, price);
  const heldNanoUsd = chooseHold(amounts, canSpendNanoUsd);
  const outputCap = outputCapOf(valid, price, { range: amounts.range, heldNanoUsd });
  if (outputCap === undefined) return { ...amounts, heldNanoUsd, usage: valid.worstCase };
  return { ...amounts, heldNanoUsd, usage: withOutput(valid.worstCase, outputCap), outputCap };
}

/** The choice of `admit.lua`, which alone decides: a test compares both. */
export function chooseHold({ leastNanoUsd, range }: HoldAmounts, canSpendNanoUsd: bigint): bigint {
  if (range === undefined) return leastNanoUsd;
  const share = canSpendNanoUsd > 0n ? canSpendNanoUsd / 4n : 0n;
  const wanted = [range.mostNanoUsd, range.fixedNanoUsd + share, canSpendNanoUsd].reduce((a, b) => (a < b ? a : b));
  return wanted > leastNanoUsd ? wanted : leastNanoUsd;
}

/** The output that `room` tokens of a cap leave: a quarter, as in `admit.lua`. Undefined: no cap lowers it. */
export function outputWithin({ least, range }: TokenHold, room: bigint | null): number | undefined {
  if (range === undefined || room === null) return undefined;
  const left = Number(room > 0n ? room : 0n);
  const held = Math.max(least, Math.min(range.most, range.fixed + Math.floor(left / 4), left));
  return held >= range.most ? undefined : held - range.fixed;
}

const withOutput = (usage: Usage, tokens: number): Usage => ({
  ...usage,
  units: { ...usage.units, output_token: tokens },
});
