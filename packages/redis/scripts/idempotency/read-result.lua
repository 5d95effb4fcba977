-- Reads the response that was stored under the id of its request, or replies that the request still runs.
--
-- Caller: IdempotencyStore.readResult, once for each query of a customer.
-- Atomic because a response that is stored between two reads would look lost.
-- The request of an idempotency key has a link: its response is in the key's record.
--
-- KEYS   1 record  2 account  3 hold
-- ARGV   1 JSON {requestId, accountId, linkPrefix, givenMs}
--          linkPrefix  of the account's records, in the slot of KEYS; givenMs: see now_us
-- Reply  {'running' | 'none', balance}  balance: see balance()
--        {'answered', balance, request_id, status, content_type, encoding, body, changes, endpoint, model}; see claim.lua
--          endpoint, model  '' in a record of a former release
-- include clock.lua
-- include balance.lua

local args = cjson.decode(ARGV[1])
local record, account, hold = unpack(KEYS)
local now_ms = math.floor(now_us(args.givenMs) / 1000)
local left = balance(account)
local link = redis.call('HGET', record, 'link')
if link then record = args.linkPrefix .. link end
local owner, state, lease_until, status, content_type, encoding, body, spilled_bytes, changes, endpoint, model =
  unpack(redis.call('HMGET', record, 'request', 'state', 'leaseUntil', 'status', 'contentType', 'encoding', 'body', 'bytesApart', 'changes',
    'endpoint', 'model'))
if spilled_bytes then encoding, body = 'spilled', spilled_bytes end
if owner == args.requestId and state == 'answered' and body then
  return {'answered', left, owner, status, content_type, encoding, body, changes or '', endpoint or '', model or ''}
end
-- Its settlement comes before its end, so an edge may still be storing it.
local is_stored_now = owner == args.requestId and state == 'begun' and tonumber(lease_until) > now_ms
if is_stored_now or redis.call('HGET', hold, 'account') == args.accountId then return {'running', left} end
return {'none', left}
