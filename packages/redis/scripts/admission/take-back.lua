-- Withdraws all spendable money of an idle account from Redis, once for each return.
--
-- Caller: AdmissionStore.takeBack, for a return that the ledger opened.
-- Atomic because an admission between the check and the withdrawal would spend the same money.
-- The latest return is stored, so a repeated call gets the same amount.
-- An account with a running or unbooked request keeps its money.
-- The amount moves into the reserve, where the ledger will book it: the balance that customers see stays the same.
--
-- KEYS   1 epoch  2 account
-- ARGV   1 JSON {epoch, sequence}; sequence: the ledger's number of this return, rising for each return of the account
-- Reply  nano-USD withdrawn, as digits; nil if another epoch is open
local args = cjson.decode(ARGV[1])
local epoch, account = unpack(KEYS)
local sequence = args.sequence
if redis.call('GET', epoch) ~= args.epoch then return nil end

local state = redis.call('HMGET', account, 'returnSequence', 'returned', 'spendable', 'held', 'unsettled')
local known, returned = state[1], state[2]
local spendable, held, unsettled = state[3] or '0', state[4] or '0', state[5] or '0'
if known == sequence then return returned end
if known and tonumber(known) > tonumber(sequence) then return '0' end

local amount = '0'
if held == '0' and unsettled == '0' and tonumber(spendable) > 0 then amount = spendable end
redis.call('HSET', account, 'returnSequence', sequence, 'returned', amount)
if amount ~= '0' then
  redis.call('HSET', account, 'spendable', '0')
  redis.call('HINCRBY', account, 'reserve', amount)
end
return amount
