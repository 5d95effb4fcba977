#!lua flags=allow-oom
-- Extends the lease of a claim that its request still owns.
--
-- Caller: IdempotencyStore.renew, while the request runs.
-- Atomic because another request may claim the record once the lease is over.
-- allow-oom: a full Redis must not let a second request run under the same key.
--
-- KEYS   1 record
-- ARGV   1 JSON {requestId, leaseMs, givenMs}; times as digits; givenMs: see now_us
-- Reply  1 extended | 0 not the owner
-- include clock.lua

local args = cjson.decode(ARGV[1])
local record = KEYS[1]
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= args.requestId or state ~= 'begun' then return 0 end
redis.call('HSET', record, 'leaseUntil', math.floor(now_us(args.givenMs) / 1000) + tonumber(args.leaseMs))
return 1
