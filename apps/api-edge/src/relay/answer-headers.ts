import type { RateState, ResponseEnd } from '@gateway/contracts';
import { formatUsd, parseNanoUsd } from '@gateway/money';

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds) / 1_000}s`;

/** `x-ratelimit-*` of the key's rate; nothing where the key has no limit. */
export function rateHeaders(rate: RateState): Record<string, string> {
  if (rate.limit === 0) return {};
  return {
    'x-ratelimit-limit-requests': String(rate.limit),
    'x-ratelimit-remaining-requests': String(rate.remaining),
    'x-ratelimit-reset-requests': seconds(rate.resetMs),
  };
}

/** What a request cost, and what is left if that is known: on every answer that is not a stream. */
export const costHeaders = ({ costNanoUsd, balanceNanoUsd }: ResponseEnd): Record<string, string> => ({
  'x-cost-usd': formatUsd(parseNanoUsd(costNanoUsd)),
  ...(balanceNanoUsd !== undefined && { 'x-balance-usd': formatUsd(parseNanoUsd(balanceNanoUsd)) }),
});

/** Of whatever is answered without being run. */
export const nothingCharged = (balanceNanoUsd: bigint | null): Record<string, string> =>
  costHeaders({ costNanoUsd: '0', ...(balanceNanoUsd !== null && { balanceNanoUsd: balanceNanoUsd.toString() }) });

/** Tells proxies on the way to let a stream through as it comes. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
