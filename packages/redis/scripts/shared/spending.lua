-- set_spending(spending, spent, version): stores what the ledger has booked for a key, unless a newer value is stored.
-- Returns 1 if it was stored. A key without a hash has no cap or was not used in this epoch: its next admission creates it.
local function set_spending(spending, spent, version)
  local known = redis.call('HGET', spending, 'version')
  if not known or tonumber(known) >= tonumber(version) then return 0 end
  redis.call('HSET', spending, 'spent', spent, 'version', version)
  return 1
end
