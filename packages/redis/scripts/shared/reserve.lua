-- set_reserve(account, reserve, version): stores the customer's balance outside escrow.
-- Returns false if this version or a newer one is stored.
local function set_reserve(account, reserve, version)
  local known = redis.call('HGET', account, 'reserveVersion')
  if known and tonumber(known) >= tonumber(version) then return false end
  redis.call('HSET', account, 'reserve', reserve, 'reserveVersion', version)
  return true
end
