#!lua flags=allow-oom
-- Settles one request once: releases its hold and its leases, charges its cost, appends the usage event.
--
-- Caller: AdmissionStore.settle, once per request and again after an unknown outcome.
-- Atomic because hold, cost and event are one booking: a part of it would lose or double money.
-- allow-oom: a settlement releases more memory than it needs, and a full Redis must not lose a cost.
--
-- The hold returns to spendable and the cost leaves it; below zero is debt. A lost hold does not stop the booking.
-- For a key with a cap, the cost replaces what the key held. The same for the counters of caps by period, with the tokens.
-- A settlement with the outcome `expired` is the sweeper's: it applies only if the hold exists and is past its expiry.
-- The tombstone stores outcome and cost: repeated settlements and idempotency claims read them.
--
-- KEYS   1 account  2 hold  3 open_holds  4 account_leases  5 key_leases  6 settled (the tombstone)  7 usage  8 accounts
-- ARGV   1 request_id  2 account_id
--        3 cost             nano-USD, not negative
--        4 minus_cost       the negated cost, as digits
--        5 event            the usage event as JSON without its opening brace and without holdNanoUsd and spendingKeyId
--        6 tombstone_ms     lifetime of the tombstone
--        7 expired_at       Unix milliseconds for the outcome `expired`, otherwise ''
--        8 outcome          how the request ended
--        9 spending_prefix  prefix of the spending hashes: only the hold names the key
--        10 cap_prefix      prefix of the counters of caps: only the hold names them
--        11 tokens          tokens that were used
--        12 lease_prefix    prefix of the leases: only the hold names the keys above a child
-- Reply  {applied 0|1, hold_found 0|1, reserve, spendable, held, outcome, cost}; amounts as digits in nano-USD
--        outcome  how the request ended, by this call or an earlier one; '' if it has not ended
--        cost     what it costs by that call; '' if it has not ended
-- Error  WRONGACCOUNT if another account owns the hold
--
-- ARGV is positional, and the event is concatenated: cjson would turn its empty lists into objects.

local account, hold, open_holds, account_leases, key_leases, settled, usage, accounts = unpack(KEYS)
local request_id, account_id, cost, minus_cost, event, tombstone_ms, expired_at, outcome, spending_prefix = unpack(ARGV)
local cap_prefix, tokens, lease_prefix = ARGV[10], ARGV[11], ARGV[12]
local owner, amount, expires_at, spending_key, counters, held_tokens, above =
  unpack(redis.call('HMGET', hold, 'account', 'amount', 'expiresAt', 'spendingKey', 'counters', 'tokens', 'above'))

local function reply(applied, ended_as, charged)
  local state = redis.call('HMGET', account, 'reserve', 'spendable', 'held')
  return {applied, owner and 1 or 0, state[1] or '0', state[2] or '0', state[3] or '0', ended_as, charged}
end

if owner and owner ~= account_id then return redis.error_reply('WRONGACCOUNT ' .. request_id .. ' is held by another account') end
local tombstone = redis.call('GET', settled)
if tombstone then return reply(0, string.match(tombstone, '^%a*'), string.match(tombstone, ':(%d+)$') or '') end
if expired_at ~= '' and (not owner or tonumber(expires_at) > tonumber(expired_at)) then return reply(0, '', '') end

-- Every key is read before the first write: only the hold names these, and one that has moved to another node ends the script.
local spending = spending_key and spending_prefix .. spending_key
local is_counted = spending and redis.call('EXISTS', spending) == 1
local open_counters = {}
for name in string.gmatch(counters or '', '%S+') do
  if redis.call('EXISTS', cap_prefix .. name) == 1 then table.insert(open_counters, cap_prefix .. name) end
end
local leases_above = {}
for key_id in string.gmatch(above or '', '%S+') do
  redis.call('EXISTS', lease_prefix .. key_id)
  table.insert(leases_above, lease_prefix .. key_id)
end

redis.call('SADD', accounts, account_id)
if owner then
  redis.call('HINCRBY', account, 'spendable', amount)
  redis.call('HINCRBY', account, 'held', amount == '0' and '0' or '-' .. amount)
  if is_counted then
    redis.call('HINCRBY', spending, 'held', amount == '0' and '0' or '-' .. amount)
    redis.call('HINCRBY', spending, 'unsettled', cost)
  end
  if spending then
    event = '"spendingKeyId":"' .. spending_key .. '",' .. event
  end
  if counters then
    for _, counter in ipairs(open_counters) do
      redis.call('HINCRBY', counter, 'openCost', amount == '0' and '0' or '-' .. amount)
      redis.call('HINCRBY', counter, 'openCost', cost)
      redis.call('HINCRBY', counter, 'openTokens', held_tokens == '0' and '0' or '-' .. held_tokens)
      redis.call('HINCRBY', counter, 'openTokens', tokens)
    end
    event = '"counters":["' .. string.gsub(counters, ' ', '","') .. '"],' .. event
  end
  redis.call('DEL', hold)
  redis.call('ZREM', open_holds, request_id)
end
redis.call('HINCRBY', account, 'spendable', minus_cost)
redis.call('HINCRBY', account, 'unsettled', cost)
redis.call('ZREM', account_leases, request_id)
redis.call('ZREM', key_leases, request_id)
for _, leases in ipairs(leases_above) do redis.call('ZREM', leases, request_id) end
redis.call('SET', settled, outcome .. ':' .. cost, 'PX', tombstone_ms)
redis.call('XADD', usage, '*', 'event', '{"holdNanoUsd":"' .. (amount or '0') .. '",' .. event)
return reply(1, outcome, cost)
