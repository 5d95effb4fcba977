#!lua flags=allow-oom
-- Releases a claim that has no response to store.
--
-- Caller: IdempotencyStore.release, when the request failed or its response broke off.
-- Atomic because the record must not change owners between the check and the write.
-- A charged request leaves a record that says so. An unsettled one expires at once: the next claim decides. Otherwise the
-- record is deleted.
-- allow-oom: this releases memory.
--
-- KEYS   1 record
-- ARGV   1 JSON {requestId, holdPrefix, settledPrefix}; prefixes of its hold and tombstone, in the slot of KEYS
-- Reply  1 released | 0 not the owner
-- include request-outcome.lua

local args = cjson.decode(ARGV[1])
local record = KEYS[1]
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= args.requestId or state ~= 'begun' then return 0 end
local outcome = classify_request(args.requestId, args.holdPrefix, args.settledPrefix)
if outcome == 'free' then
  redis.call('DEL', record)
elseif outcome == 'charged' then
  redis.call('HSET', record, 'state', 'charged')
else
  redis.call('HSET', record, 'leaseUntil', '0')
end
return 1
