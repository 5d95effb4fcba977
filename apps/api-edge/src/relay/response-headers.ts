import type { RateState, ResponseEnd } from '@gateway/contracts';
import { formatUsd, parseNanoUsd } from '@gateway/money';

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds) / 1_000}s`;

/** `x-ratelimit-*` of the key; empty if the key has no limit. */
export function rateHeaders(rate: RateState): Record<string, string> {
  if (rate.limit === 0) return {};
  return {
    'x-ratelimit-limit-requests': String(rate.limit),
    'x-ratelimit-remaining-requests': String(rate.remaining),
    'x-ratelimit-reset-requests': seconds(rate.resetMs),
  };
}

/** The cost, and the balance if it is known. Every response that is not a stream has them. */
export const costHeaders = ({ costNanoUsd, balanceNanoUsd }: ResponseEnd): Record<string, string> => ({
  'x-cost-usd': formatUsd(parseNanoUsd(costNanoUsd)),
  ...(balanceNanoUsd !== undefined && { 'x-balance-usd': formatUsd(parseNanoUsd(balanceNanoUsd)) }),
});

const ZERO_COST: Readonly<Record<string, string>> = costHeaders({ costNanoUsd: '0' });

/** Cost headers of a response that ran nothing. Null: the balance is not known. */
export const zeroCostHeaders = (balanceNanoUsd: bigint | null): Readonly<Record<string, string>> =>
  balanceNanoUsd === null ? ZERO_COST : { ...ZERO_COST, 'x-balance-usd': formatUsd(balanceNanoUsd) };

/** The last comment of a stream whose client requested the cost. */
export function costComment(end: ResponseEnd): string {
  const cost = formatUsd(parseNanoUsd(end.costNanoUsd));
  const balance = end.balanceNanoUsd === undefined ? '' : ` balance_usd=${formatUsd(parseNanoUsd(end.balanceNanoUsd))}`;
  return `: cost cost_usd=${cost}${balance}\n\n`;
}

/** Makes proxies pass a stream through without buffering or rewriting it. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
