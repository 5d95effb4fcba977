-- set_spending(spending, spent, version): stores what the ledger has booked for a key, unless a newer value is stored.
-- Returns 1 if it was stored. A key without a hash has no cap or was not used in this epoch: its next admission creates it.
local function set_spending(spending, spent, version)
  local known = redis.call('HGET', spending, 'version')
  if not known or tonumber(known) >= tonumber(version) then return 0 end
  redis.call('HSET', spending, 'spent', spent, 'version', version)
  return 1
end

-- expire_when_idle(counts, fields): removes the counts of a key a day after nothing of it is open, that is in `fields`.
-- The ledger has its booked counts, and the next admission writes them again. Without it every key that was ever used stays.
local function expire_when_idle(counts, fields)
  local open = redis.call('HMGET', counts, unpack(fields))
  for index = 1, #fields do
    if open[index] and open[index] ~= '0' then return end
  end
  redis.call('PEXPIRE', counts, 86400000)
end
