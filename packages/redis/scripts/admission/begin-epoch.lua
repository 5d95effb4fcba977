-- Opens admission with a new epoch, unless an epoch is open.
--
-- Caller: AdmissionStore.beginEpoch, when billing rebuilds the escrow after Redis lost its data.
-- Atomic because no request may be admitted on old balances. It blocks Redis, so it runs few commands per account.
-- The ledger takes all escrow back, so each account starts from zero. What is held or unsettled becomes debt, which
-- release and acknowledgement pay off. Old grants are forgotten.
--
-- KEYS   1 epoch  2 accounts
-- ARGV   1 JSON {epoch, accountPrefix, grantsPrefix}; the prefixes share the hash tag of KEYS
-- Reply  1 opened | 0 an epoch is open
local args = cjson.decode(ARGV[1])
local epoch, accounts = unpack(KEYS)
if redis.call('EXISTS', epoch) == 1 then return 0 end
-- Every key is read before the first write: one that has moved to another node ends the script.
local opened = {}
for index, account_id in ipairs(redis.call('SMEMBERS', accounts)) do
  local account = args.accountPrefix .. account_id
  redis.call('EXISTS', args.grantsPrefix .. account_id)
  opened[index] = {id = account_id, key = account, open = redis.call('HMGET', account, 'held', 'unsettled')}
end
redis.call('SET', epoch, args.epoch)

local function owe(account, amount)
  if amount == '0' then return end
  local minus = string.sub(amount, 1, 1) == '-' and string.sub(amount, 2) or '-' .. amount
  redis.call('HINCRBY', account, 'spendable', minus)
end

for _, account in ipairs(opened) do
  redis.call('HSET', account.key, 'spendable', '0', 'grantSequence', '0')
  owe(account.key, account.open[1] or '0')
  owe(account.key, account.open[2] or '0')
  redis.call('DEL', args.grantsPrefix .. account.id)
end
return 1
