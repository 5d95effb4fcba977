-- Admits one request: checks concurrency, then rate, then debt, then the key's spend cap, then the
-- caps by period of the key and the account, then the account's balance.
-- Chooses the amount to hold from the request's range: only here is known what the account can spend.
--
-- Caller: AdmissionStore.admit, once per request.
-- Atomic because two requests must not both pass on the same last slot or the same last nano-USD. Everything is computed
-- first and written only if all checks pass, so a refusal leaves nothing behind. A repeated request gets 'admitted' again.
-- Concurrency and rate are limited for the account, over all its keys, and for the key.
-- A child also counts for each key above it that limits its concurrency: a parent and all keys below it share its leases.
--
-- KEYS   1 epoch  2 account  3 hold  4 open_holds  5 settled  6 account_leases  7 account_rate  8 key_leases  9 key_rate
--        10 spending (only for a key with a cap), then the counters of caps by period, then the leases of keys above
-- ARGV   1 request_id  2 account_id  3 key_id
--        4 least            nano-USD to hold at least, below 2^53
--        5 hold_ms          lifetime of the hold
--        6 about            JSON that explains the hold without its ticket
--        7 account_limit    requests per minute of the account; 0 means unlimited
--        8 account_concurrency  requests at once of the account; 0 means unlimited
--        9 key_limit  10 key_concurrency  the same of the key
--        11 lease_ms        lifetime of the concurrency lease
--        12 given_ms        see now_us
--        13 is_free         '1' skips the balance check, otherwise ''
--        14 fixed           nano-USD of the hold that no output cap lowers; '' if the hold is `least`
--        15 most            nano-USD to hold at most, below 2^53; '' if the hold is `least`
--        16 takes_less      '1' holds what is spendable, if that is at least `least`, otherwise ''
--        17 least_balance   nano-USD; an account with a lower balance gets no paid work
--        18 spending_key_id ('' without a spend cap)  19 cap  20 spent  21 spent_version (amounts in nano-USD)
--        22 least_tokens  23 fixed_tokens  24 most_tokens  as 4, 14 and 15, in tokens; 23 and 24 '' if there is one amount
--        25 parents         how many keys above limit the concurrency
--        26 … for each counter: name, ends_at ('' never), version, booked requests, tokens and nano-USD,
--             limits of requests, tokens and nano-USD ('' none)
--           … for each key above: its id, its concurrency
-- Reply  {outcome, limit, remaining, reset_ms, detail, balance, scope, more}, or {'rebuilding'} if no epoch is open
--        outcome    admitted | concurrency | rate | debt | spend_cap | cap | funds
--        limit, remaining, reset_ms  the rate that leaves fewer requests; limit 0: no rate is limited
--        detail     admitted: nano-USD held; rate: milliseconds to wait; funds: nano-USD missing
--                   spend_cap, cap: what counts against the cap
--        balance    see balance(); '' if admitted
--        scope      concurrency and rate: whose limit is reached, 'account', 'key' or, of concurrency, 'parent'; otherwise ''
--        more       admitted: tokens held; cap: the number of the counter and of the measure, from 1
--
-- ARGV is positional: decoding JSON here slows the script measurably (see the README).
-- include clock.lua
-- include balance.lua

local epoch, account, hold, open_holds, settled = unpack(KEYS, 1, 5)
local account_leases, account_rate, key_leases, key_rate = unpack(KEYS, 6, 9)
local request_id, account_id, key_id, least, hold_ms, about = unpack(ARGV, 1, 6)
local account_limit, account_concurrency = tonumber(ARGV[7]), tonumber(ARGV[8])
local key_limit, key_concurrency = tonumber(ARGV[9]), tonumber(ARGV[10])
local lease_ms, given_ms, is_free = tonumber(ARGV[11]), ARGV[12], ARGV[13] == '1'
local fixed, most, takes_less, least_balance = ARGV[14], ARGV[15], ARGV[16] == '1', tonumber(ARGV[17])
local spending_key_id, cap, spent, spent_version = unpack(ARGV, 18, 21)
local spending = spending_key_id ~= '' and KEYS[10] or nil
local before_counters = spending and 10 or 9
local least_tokens, fixed_tokens, most_tokens = tonumber(ARGV[22]), tonumber(ARGV[23]), tonumber(ARGV[24])
local parents = tonumber(ARGV[25])
local now = now_us(given_ms)
local now_ms = math.floor(now / 1000)

if redis.call('EXISTS', epoch) == 0 then return {'rebuilding'} end

-- A rate is a GCRA. interval: the share of the minute that one request takes. tat: when the whole minute is free again.
-- Both are whole microseconds, exact in doubles, so a burst of exactly one minute's requests passes.
local function read_rate(key, limit)
  if limit == 0 then return 0, now end
  return math.max(1, math.floor(60000000 / limit)), math.max(now, tonumber(redis.call('GET', key) or '0'))
end
local account_interval, account_tat = read_rate(account_rate, account_limit)
local key_interval, key_tat = read_rate(key_rate, key_limit)

local function left_of(limit, interval, tat)
  if limit == 0 then return math.huge end
  return math.max(0, math.floor((interval * limit - (tat - now)) / interval))
end

local function reply(outcome, detail, scope, more)
  local limit, left, tat = account_limit, left_of(account_limit, account_interval, account_tat), account_tat
  local key_left = left_of(key_limit, key_interval, key_tat)
  if key_limit > 0 and key_left <= left then limit, left, tat = key_limit, key_left, key_tat end
  local balance_now = outcome == 'admitted' and '' or balance(account)
  return {outcome, limit, limit == 0 and 0 or left, math.ceil((tat - now) / 1000), detail or '', balance_now, scope or '', more or ''}
end

local function digits(number) return string.format('%.0f', number) end

if redis.call('EXISTS', hold, settled) > 0 then
  local known = redis.call('HMGET', hold, 'amount', 'tokens')
  return reply('admitted', known[1] or least, '', known[2] or '0')
end

local function is_full(leases, concurrency)
  return concurrency > 0 and redis.call('ZCOUNT', leases, '(' .. now_ms, '+inf') >= concurrency
end
if is_full(key_leases, key_concurrency) then return reply('concurrency', '', 'key') end
for above = 1, parents do
  if is_full(KEYS[#KEYS - parents + above], tonumber(ARGV[#ARGV + 2 * (above - parents)])) then return reply('concurrency', '', 'parent') end
end
if is_full(account_leases, account_concurrency) then return reply('concurrency', '', 'account') end

local account_wait = account_tat + account_interval - now - account_interval * account_limit
local key_wait = key_tat + key_interval - now - key_interval * key_limit
if account_wait > 0 and account_limit > 0 or key_wait > 0 and key_limit > 0 then
  local scope = (account_limit == 0 or key_limit > 0 and key_wait > account_wait) and 'key' or 'account'
  local wait = scope == 'key' and key_wait or account_wait
  return reply('rate', digits(math.ceil(wait / 1000)), scope)
end

local parts = redis.call('HMGET', account, 'spendable', 'reserve', 'held')
-- A free balance below zero, as after a reversed credit, is money of Redis that is gone.
local reserve = tonumber(parts[2] or '0')
local spendable = tonumber(parts[1] or '0') + math.min(0, reserve)
local can_spend = spendable + math.max(0, reserve)
if parts[2] and not is_free and can_spend + tonumber(parts[3] or '0') < least_balance then return reply('debt') end

if spending then
  local known = redis.call('HMGET', spending, 'spent', 'version', 'unsettled', 'held')
  if known[2] and tonumber(known[2]) >= tonumber(spent_version) then spent, spent_version = known[1], known[2] end
  local taken = tonumber(spent) + tonumber(known[3] or '0') + tonumber(known[4] or '0')
  if taken + tonumber(least) > tonumber(cap) then return reply('spend_cap', digits(taken)) end
  can_spend = math.min(can_spend, tonumber(cap) - taken)
end

local counters, token_room = {}, math.huge
local needed = {1, least_tokens, tonumber(least)}
for number = 1, #KEYS - before_counters - parents do
  local name, ends_at, version, requests, tokens, cost, most_requests, most_of_tokens, most_cost =
    unpack(ARGV, 17 + number * 9, 25 + number * 9)
  local counter = KEYS[before_counters + number]
  local known = redis.call('HMGET', counter, 'version', 'requests', 'tokens', 'cost', 'openRequests', 'openTokens', 'openCost')
  if known[1] and tonumber(known[1]) >= tonumber(version) then version, requests, tokens, cost = unpack(known, 1, 4) end
  local limits = {tonumber(most_requests), tonumber(most_of_tokens), tonumber(most_cost)}
  for measure, booked in ipairs({requests, tokens, cost}) do
    if limits[measure] then
      local taken = tonumber(booked) + tonumber(known[measure + 4] or '0')
      if taken + needed[measure] > limits[measure] then return reply('cap', digits(taken), '', number .. ' ' .. measure) end
      if measure == 2 then token_room = math.min(token_room, limits[2] - taken) end
      if measure == 3 then can_spend = math.min(can_spend, limits[3] - taken) end
    end
  end
  counters[number] = {key = counter, name = name, ends_at = ends_at, booked = {version, requests, tokens, cost}}
end

-- The range ends at what the account can spend. Without a range, and for the poorest, the amount is `least`.
local amount = least
if most ~= '' then
  local wanted = math.min(tonumber(most), tonumber(fixed) + math.floor(can_spend / 4), can_spend)
  if takes_less then wanted = math.min(wanted, spendable) end
  if wanted > tonumber(least) then amount = digits(wanted) end
end
if not is_free and spendable < tonumber(amount) then
  return reply('funds', digits(tonumber(amount) - spendable))
end

local tokens = least_tokens
if most_tokens then
  tokens = math.max(tokens, math.min(most_tokens, fixed_tokens + math.floor(token_room / 4), token_room))
end

local function lease(leases, concurrency)
  if concurrency == 0 then return end
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now_ms)
  redis.call('ZADD', leases, now_ms + lease_ms, request_id)
  if redis.call('PTTL', leases) < lease_ms then redis.call('PEXPIRE', leases, lease_ms) end
end
lease(account_leases, account_concurrency)
lease(key_leases, key_concurrency)
local above_ids = {}
for above = 1, parents do
  local id, concurrency = unpack(ARGV, #ARGV + 2 * (above - parents) - 1, #ARGV + 2 * (above - parents))
  lease(KEYS[#KEYS - parents + above], tonumber(concurrency))
  above_ids[above] = id
end

local function advance(rate, limit, tat)
  if limit > 0 then redis.call('SET', rate, digits(tat), 'PX', math.ceil((tat - now) / 1000)) end
end
account_tat, key_tat = account_tat + account_interval, key_tat + key_interval
advance(account_rate, account_limit, account_tat)
advance(key_rate, key_limit, key_tat)

local expires_at = digits(now_ms + tonumber(hold_ms))
redis.call('HINCRBY', account, 'spendable', amount == '0' and '0' or '-' .. amount)
redis.call('HINCRBY', account, 'held', amount)
redis.call('HSET', hold, 'account', account_id, 'key', key_id, 'amount', amount, 'expiresAt', expires_at, 'renewedAt', now_ms,
  'leased', (account_concurrency > 0 and 'account ' or '') .. (key_concurrency > 0 and 'key' or ''), 'about', about)
if parents > 0 then redis.call('HSET', hold, 'above', table.concat(above_ids, ' ')) end
if spending then
  redis.call('PERSIST', spending)
  redis.call('HSET', spending, 'spent', spent, 'version', spent_version)
  redis.call('HINCRBY', spending, 'held', amount)
  redis.call('HSET', hold, 'spendingKey', spending_key_id, 'cap', cap)
end
local names = {}
for number, counter in ipairs(counters) do
  local version, requests, booked_tokens, cost = unpack(counter.booked)
  redis.call('HSET', counter.key, 'version', version, 'requests', requests, 'tokens', booked_tokens, 'cost', cost)
  redis.call('HINCRBY', counter.key, 'openRequests', 1)
  redis.call('HINCRBY', counter.key, 'openTokens', digits(tokens))
  redis.call('HINCRBY', counter.key, 'openCost', amount)
  -- A week longer: requests of the period end and are booked after it.
  if counter.ends_at ~= '' then
    redis.call('PEXPIREAT', counter.key, digits(tonumber(counter.ends_at) + 604800000))
  else
    redis.call('PERSIST', counter.key)
  end
  names[number] = counter.name
end
if #names > 0 then redis.call('HSET', hold, 'counters', table.concat(names, ' '), 'tokens', digits(tokens)) end
redis.call('ZADD', open_holds, expires_at, request_id)
return reply('admitted', amount, '', digits(tokens))
