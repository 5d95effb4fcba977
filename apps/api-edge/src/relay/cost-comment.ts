import type { ResponseEnd } from '@gateway/contracts';
import { formatUsd, parseNanoUsd } from '@gateway/money';

/** The last words of a stream whose client asked for its cost. */
export function costComment(end: ResponseEnd): string {
  const cost = formatUsd(parseNanoUsd(end.costNanoUsd));
  const balance = end.balanceNanoUsd === undefined ? '' : ` balance_usd=${formatUsd(parseNanoUsd(end.balanceNanoUsd))}`;
  return `: cost cost_usd=${cost}${balance}\n\n`;
}
