-- Claims the record of an idempotency key for one request, or replies with the obstacle.
--
-- Caller: IdempotencyStore.claim, once per request that carries a key.
-- Atomic because two requests with one key must not both become its owner.
-- An expired claim is decided by what its request was charged: 'free' makes the record claimable, 'charged' ends it without
-- a stored response, 'running' leaves it in progress. A running request whose hold is not renewed any more has lost its edge
-- and its worker: it is 'abandoned', and the caller settles it.
-- A repeated claim is the same one: the library sends it again after a lost connection, also if Redis has run it.
--
-- KEYS   1 record  2 account
-- ARGV   1 JSON {requestId, fingerprint, endpoint, model, leaseMs, retentionMs, abandonedAfterMs, holdPrefix, settledPrefix, givenMs}; times as digits
--          abandonedAfterMs  how long after its last renewal a hold has no owner
--          fingerprint  what was requested; another one under the same key is a conflict
--          endpoint, model  for who reads the response by the request's id; see read-result.lua
--          prefixes     of the earlier request's hold and tombstone, in the slot of KEYS; givenMs: see now_us
-- Reply  {'began'}                              this request owns the record
--        {'conflict', balance}                  balance: see balance()
--        {'in_progress', balance, earlier_request_id, free_in_ms}
--          free_in_ms  '' while an edge renews the claim; else the milliseconds until the request is abandoned
--        {'charged' | 'not_kept' | 'abandoned', balance, earlier_request_id}
--        {'answered', balance, earlier_request_id, status, content_type, encoding, body, changes}
--          changes  headers as JSON, or ''; encoding 'spilled': the body is stored elsewhere, and `body` is its length in digits
-- include clock.lua
-- include request-outcome.lua
-- include balance.lua

local args = cjson.decode(ARGV[1])
local record, account = unpack(KEYS)
local now_ms = math.floor(now_us(args.givenMs) / 1000)
local earlier, fingerprint, lease_until, state =
  unpack(redis.call('HMGET', record, 'request', 'fingerprint', 'leaseUntil', 'state'))

if earlier == args.requestId and state == 'begun' and fingerprint == args.fingerprint then
  redis.call('HSET', record, 'leaseUntil', now_ms + tonumber(args.leaseMs))
  return {'began'}
end

local free_in_ms = ''
if earlier and state == 'begun' and tonumber(lease_until) <= now_ms then
  local outcome = classify_request(earlier, args.holdPrefix, args.settledPrefix)
  if outcome == 'free' then earlier = false end
  if outcome == 'running' then
    local renewed_at = tonumber(redis.call('HGET', args.holdPrefix .. earlier, 'renewedAt') or now_ms)
    free_in_ms = math.max(0, renewed_at + tonumber(args.abandonedAfterMs) - now_ms)
  end
  if outcome == 'charged' then
    state = 'charged'
    redis.call('HSET', record, 'state', state)
    redis.call('PEXPIRE', record, args.retentionMs)
  end
end
if not earlier then
  redis.call('DEL', record)
  redis.call('HSET', record, 'request', args.requestId, 'fingerprint', args.fingerprint, 'endpoint', args.endpoint,
    'model', args.model, 'state', 'begun', 'leaseUntil', now_ms + tonumber(args.leaseMs))
  redis.call('PEXPIRE', record, args.retentionMs)
  return {'began'}
end
local left = balance(account)
if fingerprint ~= args.fingerprint then return {'conflict', left} end
if free_in_ms == 0 then return {'abandoned', left, earlier} end
if state == 'begun' then return {'in_progress', left, earlier, tostring(free_in_ms)} end
if state == 'charged' then return {'charged', left, earlier} end
local status, content_type, encoding, body, spilled_bytes, changes =
  unpack(redis.call('HMGET', record, 'status', 'contentType', 'encoding', 'body', 'bytesApart', 'changes'))
if spilled_bytes then encoding, body = 'spilled', spilled_bytes end
if not body then return {'not_kept', left, earlier} end
return {'answered', left, earlier, status, content_type, encoding, body, changes or ''}
