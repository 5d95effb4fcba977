/** What a customer has left, in parts that only digits can add up; empty if Redis does not know the account's reserve. */
export const BALANCE_LUA = `
local function balance(account)
  local parts = redis.call('HMGET', account, 'reserve', 'spendable', 'held')
  if not parts[1] then return '' end
  return table.concat({parts[1], parts[2] or '0', parts[3] or '0'}, ' ')
end
`;

/** In nano-USD, what is held for running requests included; null if it is not known here. */
export const readBalance = (parts: string): bigint | null =>
  parts === '' ? null : parts.split(' ').reduce((sum, part) => sum + BigInt(part), 0n);
