-- balance(account): the three parts of a customer's balance in nano-USD, as digits separated by spaces.
-- The caller adds them: Lua's doubles would round large sums. '' if Redis does not know the account's reserve.
local function balance(account)
  local parts = redis.call('HMGET', account, 'reserve', 'spendable', 'held')
  if not parts[1] then return '' end
  return table.concat({parts[1], parts[2] or '0', parts[3] or '0'}, ' ')
end
