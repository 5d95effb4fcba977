import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from './script.js';

/**
 * Opens admission again, if nobody has yet. The ledger takes all escrow back, so whatever accounts are left here
 * start from nothing: what is held or unsettled is owed until it is released or acknowledged, and old grants are forgotten.
 */
export const BEGIN_EPOCH_LUA = `
local epoch, accounts = unpack(KEYS)
local new_epoch, account_prefix, grants_prefix = unpack(ARGV)
if not redis.call('SET', epoch, new_epoch, 'NX') then return 0 end
for _, account_id in ipairs(redis.call('SMEMBERS', accounts)) do
  local account = account_prefix .. account_id
  redis.call('HSET', account, 'spendable', '0')
  for _, field in ipairs({'held', 'unsettled'}) do
    local owed = redis.call('HGET', account, field) or '0'
    local minus = string.sub(owed, 1, 1) == '-' and string.sub(owed, 2) or '-' .. owed
    redis.call('HINCRBY', account, 'spendable', owed == '0' and '0' or minus)
  end
  redis.call('HDEL', account, 'grantSequence')
  redis.call('DEL', grants_prefix .. account_id)
end
return 1
`;

export const beginEpochCall = (keys: RedisKeys, epoch: string): ScriptCall => ({
  keys: [keys.epoch, keys.accounts],
  args: [epoch, keys.account(''), keys.grants('')],
});
