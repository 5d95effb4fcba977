import type { UsageSettled } from '@gateway/contracts';
import type { Settlement } from '../admission/settle.js';

/**
 * The nano-USD of debt that a settlement caused: its cost beyond its hold, as far as the balance is below zero by it.
 * 0 for nearly every settlement, and for a repeated one.
 */
export function beyondHold(
  { costNanoUsd, holdNanoUsd }: Pick<UsageSettled, 'costNanoUsd' | 'holdNanoUsd'>,
  { applied, balanceNanoUsd }: Pick<Settlement, 'applied' | 'balanceNanoUsd'>,
): bigint {
  const excess = BigInt(costNanoUsd) - BigInt(holdNanoUsd);
  if (!applied || excess <= 0n || balanceNanoUsd >= 0n) return 0n;
  return excess < -balanceNanoUsd ? excess : -balanceNanoUsd;
}
