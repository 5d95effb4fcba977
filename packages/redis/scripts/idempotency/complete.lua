-- Completes a claim with its response, once.
--
-- Caller: IdempotencyStore.complete, when the whole response has been sent.
-- Atomic because the ownership check, the account's share and the response must change together.
-- The share limits each account: its responses must not fill the memory that holds everyone's money.
-- A link lets the customer fetch the response by the request's id; see read-result.lua.
--
-- KEYS   1 record  2 stored_bytes (the account's counter for this place)  3 link (the record itself without a client's key)
-- ARGV   1 JSON {requestId, keySha256, retentionMs, status, contentType, changes, encoding, bytes, shareBytes}; numbers as digits
--          encoding  'gzip' | 'identity'  the body is ARGV[2]
--                    'spilled'            the body is stored elsewhere; `bytes` is its length
--                    ''                   the body is not stored
--          changes   headers as JSON, or ''
--        2 body, as bytes: binary data cannot travel in JSON
-- Reply  0 not the owner | 1 stored | 2 above the share, nothing changed | 3 completed without a body
local args = cjson.decode(ARGV[1])
local body = ARGV[2]
local record, stored_bytes, link = unpack(KEYS)
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= args.requestId or state ~= 'begun' then return 0 end
if args.encoding ~= '' then
  local taken = tonumber(redis.call('GET', stored_bytes) or '0')
  if taken + tonumber(args.bytes) > tonumber(args.shareBytes) then return 2 end
  redis.call('INCRBY', stored_bytes, args.bytes)
  if taken == 0 then redis.call('PEXPIRE', stored_bytes, args.retentionMs) end
  if args.encoding == 'spilled' then
    redis.call('HSET', record, 'bytesApart', args.bytes)
  else
    redis.call('HSET', record, 'encoding', args.encoding, 'body', body)
  end
end
redis.call('HSET', record, 'state', 'answered', 'status', args.status, 'contentType', args.contentType)
if args.changes ~= '' then redis.call('HSET', record, 'changes', args.changes) end
redis.call('HDEL', record, 'leaseUntil')
redis.call('PEXPIRE', record, args.retentionMs)
if link ~= record and args.encoding ~= '' then
  redis.call('HSET', link, 'link', args.keySha256)
  redis.call('PEXPIRE', link, args.retentionMs)
end
return args.encoding == '' and 3 or 1
