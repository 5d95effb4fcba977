import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from './script.js';

export interface Reserve {
  readonly accountId: string;
  readonly epoch: string;
  /** Rises with each change of the customer's balance in the ledger. */
  readonly reserveVersion: bigint;
  readonly reserveNanoUsd: bigint;
}

export type ReserveOutcome = 'applied' | 'stale' | 'wrong_epoch';

/** `set_reserve(account, reserve, version)`: false if a newer value, or this one, is there already. */
export const RESERVE_LUA = `
local function set_reserve(account, reserve, version)
  local known = redis.call('HGET', account, 'reserveVersion')
  if known and tonumber(known) >= tonumber(version) then return false end
  redis.call('HSET', account, 'reserve', reserve, 'reserveVersion', version)
  return true
end
`;

/** Tells Redis what the ledger holds beside the escrow, for the balance that customers are shown. It spends nothing. */
export const SET_RESERVE_LUA = `${RESERVE_LUA}
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 'wrong_epoch' end
if not set_reserve(KEYS[2], ARGV[4], ARGV[3]) then return 'stale' end
redis.call('SADD', KEYS[3], ARGV[1])
return 'applied'
`;

export const setReserveCall = (keys: RedisKeys, reserve: Reserve): ScriptCall => ({
  keys: [keys.epoch, keys.account(reserve.accountId), keys.accounts],
  args: [reserve.accountId, reserve.epoch, reserve.reserveVersion.toString(), reserve.reserveNanoUsd.toString()],
});
