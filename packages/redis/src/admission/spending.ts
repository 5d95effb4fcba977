import type { KeySpending } from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

/** The amounts that count against a key's cap: booked, settled but not booked, and held. */
export interface SpendingState {
  readonly spentNanoUsd: bigint;
  readonly unsettledNanoUsd: bigint;
  readonly heldNanoUsd: bigint;
}

export const readSpendingState = (fields: Record<string, string>): SpendingState => ({
  spentNanoUsd: BigInt(fields.spent ?? '0'),
  unsettledNanoUsd: BigInt(fields.unsettled ?? '0'),
  heldNanoUsd: BigInt(fields.held ?? '0'),
});

export const setSpendingCall = (keys: MoneyKeys, spending: KeySpending): ScriptCall => ({
  keys: [keys.spending(spending.spendingKeyId)],
  args: [jsonArgs({ spent: spending.spentNanoUsd, version: spending.version })],
});
