-- Reads what a running request may use beyond its hold: what its account can spend, and no more than its key's cap leaves.
--
-- Caller: AdmissionStore.headroom, for a stream whose meter has passed its hold.
-- Atomic because a settlement between two reads would move money from one amount to the other.
--
-- KEYS   1 account  2 hold
-- ARGV   1 spending_prefix  prefix of the spending hashes: only the hold names the key
-- Reply  nano-USD as digits, not negative; '' if the request has no hold

local account, hold = unpack(KEYS)
local spending_prefix = ARGV[1]
local expires_at, spending_key, cap = unpack(redis.call('HMGET', hold, 'expiresAt', 'spendingKey', 'cap'))
if not expires_at then return '' end
local parts = redis.call('HMGET', account, 'spendable', 'reserve')
local can_spend = tonumber(parts[1] or '0') + tonumber(parts[2] or '0')
if spending_key and cap then
  local known = redis.call('HMGET', spending_prefix .. spending_key, 'spent', 'unsettled', 'held')
  local taken = tonumber(known[1] or '0') + tonumber(known[2] or '0') + tonumber(known[3] or '0')
  can_spend = math.min(can_spend, tonumber(cap) - taken)
end
return string.format('%.0f', math.max(0, can_spend))
