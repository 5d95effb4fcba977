-- Makes one block of escrow spendable, once.
--
-- Caller: AdmissionStore.grant, after the ledger moved the block into escrow.
-- Atomic because the duplicate check and the addition must not be separated. Grants may arrive in any order and repeatedly.
--
-- KEYS   1 epoch  2 account  3 grants  4 accounts
-- ARGV   1 JSON {accountId, epoch, sequence, amount, reserve, reserveVersion, rememberedGrants}; all values as digits or text
--          amount, reserve   nano-USD
--          sequence          the ledger's number of this grant; rises with each grant of the account
--          rememberedGrants  how many sequence numbers are stored; a lower number counts as a duplicate
-- Reply  applied | duplicate | wrong_epoch
-- include reserve.lua

local args = cjson.decode(ARGV[1])
local epoch, account, grants, accounts = unpack(KEYS)
if redis.call('GET', epoch) ~= args.epoch then return 'wrong_epoch' end
set_reserve(account, args.reserve, args.reserveVersion)

if redis.call('ZSCORE', grants, args.sequence) then return 'duplicate' end
if redis.call('ZCARD', grants) >= tonumber(args.rememberedGrants) then
  local oldest = redis.call('ZRANGE', grants, 0, 0)[1]
  if tonumber(args.sequence) < tonumber(oldest) then return 'duplicate' end
  redis.call('ZREM', grants, oldest)
end
redis.call('SADD', accounts, args.accountId)
redis.call('ZADD', grants, args.sequence, args.sequence)
redis.call('HSET', account, 'grantSequence', redis.call('ZRANGE', grants, -1, -1)[1])
redis.call('HINCRBY', account, 'spendable', args.amount)
return 'applied'
