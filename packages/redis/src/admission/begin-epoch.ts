import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from './script.js';

/**
 * Opens admission again, if nobody has yet. The ledger takes all escrow back, so whatever accounts are left here
 * start from nothing: what is held or unsettled is owed until it is released or acknowledged, and old grants are forgotten.
 * Nobody else is served meanwhile, so there are few commands for each account.
 */
export const BEGIN_EPOCH_LUA = `
local epoch, accounts = unpack(KEYS)
local new_epoch, account_prefix, grants_prefix = unpack(ARGV)
if not redis.call('SET', epoch, new_epoch, 'NX') then return 0 end
local function owe(account, amount)
  if amount == '0' then return end
  local minus = string.sub(amount, 1, 1) == '-' and string.sub(amount, 2) or '-' .. amount
  redis.call('HINCRBY', account, 'spendable', minus)
end
for _, account_id in ipairs(redis.call('SMEMBERS', accounts)) do
  local account = account_prefix .. account_id
  local open = redis.call('HMGET', account, 'held', 'unsettled')
  redis.call('HSET', account, 'spendable', '0', 'grantSequence', '0')
  owe(account, open[1] or '0')
  owe(account, open[2] or '0')
  redis.call('DEL', grants_prefix .. account_id)
end
return 1
`;

export const beginEpochCall = (keys: RedisKeys, epoch: string): ScriptCall => ({
  keys: [keys.epoch, keys.accounts],
  args: [epoch, keys.account(''), keys.grants('')],
});
