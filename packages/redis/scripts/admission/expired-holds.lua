-- Lists the expired holds of one or more shards, the earliest expiry of each shard first.
--
-- Caller: AdmissionStore.expiredHolds, every one to four seconds.
-- Atomic because one call for all shards costs a server less than one for each. A cluster gets one call for each shard.
--
-- KEYS   the open holds of each shard
-- ARGV   1 JSON {nowMs, limit}; digits; limit: of each shard
-- Reply  a list of {open_holds, request_id}

local args = cjson.decode(ARGV[1])
local found = {}
for _, open_holds in ipairs(KEYS) do
  for _, request_id in ipairs(redis.call('ZRANGEBYSCORE', open_holds, '-inf', args.nowMs, 'LIMIT', 0, args.limit)) do
    table.insert(found, {open_holds, request_id})
  end
end
return found
