-- Admits one request: checks concurrency, then rate, then the key's spend cap, then the account's balance.
--
-- Caller: AdmissionStore.admit, once per request.
-- Atomic because two requests must not both pass on the same last slot or the same last nano-USD. Everything is computed
-- first and written only if all checks pass, so a refusal leaves nothing behind. A repeated request gets 'admitted' again.
--
-- KEYS   1 epoch  2 account  3 hold  4 open_holds  5 leases  6 rate  7 settled  8 spending (only for a key with a cap)
-- ARGV   1 request_id  2 account_id  3 key_id
--        4 amount           nano-USD to hold, below 2^53
--        5 expires_at       hold expiry, Unix milliseconds
--        6 about            JSON that explains the hold without its ticket
--        7 limit            requests per minute; 0 means unlimited
--        8 concurrency      requests at once; 0 means unlimited
--        9 lease_ms         lifetime of the concurrency lease
--       10 given_ms         see now_us
--       11 is_free          '1' skips the balance check, otherwise ''
--       12 spending_key_id  13 cap  14 spent  15 spent_version (amounts in nano-USD; only with KEYS[8])
-- Reply  {outcome, remaining, reset_ms, detail, balance}, or {'rebuilding'} if no epoch is open
--        outcome    admitted | concurrency | rate | spend_cap | funds
--        detail     rate: milliseconds to wait; spend_cap: nano-USD that count against the cap; funds: nano-USD spendable
--        balance    see balance(); '' if admitted
--
-- ARGV is positional: decoding JSON here slows the script measurably (see the README).
-- include clock.lua
-- include balance.lua

local epoch, account, hold, open_holds, leases, rate, settled, spending = unpack(KEYS)
local request_id, account_id, key_id, amount, expires_at, about = unpack(ARGV, 1, 6)
local limit, concurrency, lease_ms = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local given_ms, is_free = ARGV[10], ARGV[11] == '1'
local spending_key_id, cap, spent, spent_version = unpack(ARGV, 12, 15)
local now = now_us(given_ms)
local now_ms = math.floor(now / 1000)

if redis.call('EXISTS', epoch) == 0 then return {'rebuilding'} end

-- The rate is a GCRA. interval: the share of the minute that one request takes. tat: when the whole minute is free again.
-- Both are whole microseconds, exact in doubles, so a burst of exactly one minute's requests passes.
local interval, tat = 0, now
if limit > 0 then
  interval = math.max(1, math.floor(60000000 / limit))
  tat = math.max(now, tonumber(redis.call('GET', rate) or '0'))
end

local function reply(outcome, used_until, detail)
  local used = used_until - now
  local remaining = 0
  if limit > 0 then remaining = math.max(0, math.floor((interval * limit - used) / interval)) end
  local left = outcome == 'admitted' and '' or balance(account)
  return {outcome, remaining, math.ceil(used / 1000), detail, left}
end

if redis.call('EXISTS', hold, settled) > 0 then return reply('admitted', tat, '') end

if concurrency > 0 and redis.call('ZCOUNT', leases, '(' .. now_ms, '+inf') >= concurrency then
  return reply('concurrency', tat, '')
end

local next_tat = tat + interval
local wait = next_tat - now - interval * limit
if limit > 0 and wait > 0 then return reply('rate', tat, string.format('%.0f', math.ceil(wait / 1000))) end

if spending then
  local known = redis.call('HMGET', spending, 'spent', 'version', 'unsettled', 'held')
  if known[2] and tonumber(known[2]) >= tonumber(spent_version) then spent, spent_version = known[1], known[2] end
  local taken = tonumber(spent) + tonumber(known[3] or '0') + tonumber(known[4] or '0')
  if taken + tonumber(amount) > tonumber(cap) then return reply('spend_cap', tat, string.format('%.0f', taken)) end
end

local spendable = redis.call('HGET', account, 'spendable') or '0'
if not is_free and tonumber(spendable) < tonumber(amount) then return reply('funds', tat, spendable) end

if concurrency > 0 then
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now_ms)
  redis.call('ZADD', leases, now_ms + lease_ms, request_id)
  if redis.call('PTTL', leases) < lease_ms then redis.call('PEXPIRE', leases, lease_ms) end
end
if limit > 0 then
  redis.call('SET', rate, string.format('%.0f', next_tat), 'PX', math.ceil((next_tat - now) / 1000))
end
redis.call('HINCRBY', account, 'spendable', amount == '0' and '0' or '-' .. amount)
redis.call('HINCRBY', account, 'held', amount)
redis.call('HSET', hold, 'account', account_id, 'key', key_id, 'amount', amount, 'expiresAt', expires_at,
  'leased', concurrency > 0 and '1' or '0', 'about', about)
if spending then
  redis.call('HSET', spending, 'spent', spent, 'version', spent_version)
  redis.call('HINCRBY', spending, 'held', amount)
  redis.call('HSET', hold, 'spendingKey', spending_key_id)
end
redis.call('ZADD', open_holds, expires_at, request_id)
return reply('admitted', next_tat, '')
