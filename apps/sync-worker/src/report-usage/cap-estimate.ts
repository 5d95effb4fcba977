import type { SyncTicket, Usage } from '@gateway/contracts';
import { priceUsage } from './price-usage.js';

/**
 * An estimate with at most the output that the hold pays for. The vendor stops at the output cap, and the hold covers it,
 * so a larger estimate is wrong. Counts of the upstream stay as they are.
 */
export function capEstimate(ticket: SyncTicket, usage: Usage): Usage {
  const output = usage.units.output_token ?? 0;
  if (!usage.isEstimated || usage.isPromptCounted === true || output === 0) return usage;
  const hold = BigInt(ticket.holdNanoUsd);
  const { costNanoUsd } = priceUsage(ticket, usage);
  if (costNanoUsd <= hold) return usage;
  const withOutput = (tokens: number): Usage => ({ ...usage, units: { ...usage.units, output_token: tokens } });
  const input = priceUsage(ticket, withOutput(0)).costNanoUsd;
  if (input >= hold) return withOutput(0);
  return withOutput(Number((BigInt(output) * (hold - input)) / (costNanoUsd - input)));
}
