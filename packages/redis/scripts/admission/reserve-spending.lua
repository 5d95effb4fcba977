-- Stores what a key has spent and reserved according to the ledger, and reads what counts against its cap.
--
-- Caller: AdmissionStore.reserveSpending, after a budget was reserved.
-- Atomic because the reply must include every hold that was admitted before the reservation was known here.
-- Unlike set-spending.lua it creates the hash: an admission with an older record of the key must find the reservation.
--
-- KEYS   1 spending
-- ARGV   1 JSON {spent, version}; spent: nano-USD as digits
-- Reply  {spent, unsettled, held}; '' for a missing field
-- include spending.lua

local args = cjson.decode(ARGV[1])
local known = redis.call('HGET', KEYS[1], 'version')
if not known or tonumber(known) < tonumber(args.version) then
  redis.call('HSET', KEYS[1], 'spent', args.spent, 'version', args.version)
end
expire_when_idle(KEYS[1], {'held', 'unsettled'})
local state = redis.call('HMGET', KEYS[1], 'spent', 'unsettled', 'held')
return {state[1] or '', state[2] or '', state[3] or ''}
