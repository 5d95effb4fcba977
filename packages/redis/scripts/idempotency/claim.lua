-- Claims the record of an idempotency key for one request, or replies with the obstacle.
--
-- Caller: IdempotencyStore.claim, once per request that carries a key.
-- Atomic because two requests with one key must not both become its owner.
-- An expired claim is decided by what its request was charged: 'free' makes the record claimable, 'charged' ends it without
-- a stored response, 'running' leaves it in progress.
--
-- KEYS   1 record  2 account
-- ARGV   1 JSON {requestId, fingerprint, leaseMs, retentionMs, holdPrefix, settledPrefix, givenMs}; times as digits
--          fingerprint  what was requested; another one under the same key is a conflict
--          prefixes     of the earlier request's hold and tombstone, in the slot of KEYS; givenMs: see now_us
-- Reply  {'began'}                              this request owns the record
--        {'conflict' | 'in_progress', balance}  balance: see balance()
--        {'charged' | 'not_kept', balance, earlier_request_id}
--        {'answered', balance, earlier_request_id, status, content_type, encoding, body}
--          encoding 'spilled': the body is stored elsewhere, and `body` is its length in digits
-- include clock.lua
-- include request-outcome.lua
-- include balance.lua

local args = cjson.decode(ARGV[1])
local record, account = unpack(KEYS)
local now_ms = math.floor(now_us(args.givenMs) / 1000)
local earlier, fingerprint, lease_until, state =
  unpack(redis.call('HMGET', record, 'request', 'fingerprint', 'leaseUntil', 'state'))

if earlier and state == 'begun' and tonumber(lease_until) <= now_ms then
  local outcome = classify_request(earlier, args.holdPrefix, args.settledPrefix)
  if outcome == 'free' then earlier = false end
  if outcome == 'charged' then
    state = 'charged'
    redis.call('HSET', record, 'state', state)
    redis.call('PEXPIRE', record, args.retentionMs)
  end
end
if not earlier then
  redis.call('DEL', record)
  redis.call('HSET', record, 'request', args.requestId, 'fingerprint', args.fingerprint, 'state', 'begun',
    'leaseUntil', now_ms + tonumber(args.leaseMs))
  redis.call('PEXPIRE', record, args.retentionMs)
  return {'began'}
end
local left = balance(account)
if fingerprint ~= args.fingerprint then return {'conflict', left} end
if state == 'begun' then return {'in_progress', left} end
if state == 'charged' then return {'charged', left, earlier} end
local status, content_type, encoding, body, spilled_bytes =
  unpack(redis.call('HMGET', record, 'status', 'contentType', 'encoding', 'body', 'bytesApart'))
if spilled_bytes then encoding, body = 'spilled', spilled_bytes end
if not body then return {'not_kept', left, earlier} end
return {'answered', left, earlier, status, content_type, encoding, body}
