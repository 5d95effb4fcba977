import type { KeySpending } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from './script.js';

/** A key's spending as Redis sees it: what is booked, what is settled and not yet booked, what is held. */
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

/**
 * `set_spending(spending, spent, version)`: what the ledger has booked, unless a newer value is there. A key without a cap,
 * or not used since Redis began its life, has no count here: its next admission brings one.
 */
export const SPENDING_LUA = `
local function set_spending(spending, spent, version)
  local known = redis.call('HGET', spending, 'version')
  if not known or tonumber(known) >= tonumber(version) then return 0 end
  redis.call('HSET', spending, 'spent', spent, 'version', version)
  return 1
end
`;

export const SET_SPENDING_LUA = `${SPENDING_LUA}
return set_spending(KEYS[1], ARGV[1], ARGV[2])
`;

export const setSpendingCall = (keys: RedisKeys, spending: KeySpending): ScriptCall => ({
  keys: [keys.spending(spending.spendingKeyId)],
  args: [spending.spentNanoUsd, spending.version],
});
