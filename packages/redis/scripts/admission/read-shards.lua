-- Counts what one or more shards hold.
--
-- Caller: AdmissionStore.readShards, for reconciliation and metrics.
-- Atomic because one call for all shards costs a server less than one for each. A cluster gets one call for each shard.
--
-- KEYS   four for each shard: epoch, open_holds, usage, dead_usage
-- ARGV   1 JSON {nowMs}; digits: holds that expire before it have expired
-- Reply  a list of {epoch, open_holds, expired_holds, unbooked, dead, oldest}
--          epoch   '' if none is open
--          oldest  the id of the oldest usage event that the ledger has not booked; '' if there is none

local args = cjson.decode(ARGV[1])
local states = {}
for index = 1, #KEYS, 4 do
  local epoch, open_holds, usage, dead_usage = unpack(KEYS, index, index + 3)
  local oldest = redis.call('XRANGE', usage, '-', '+', 'COUNT', 1)[1]
  table.insert(states, {
    redis.call('GET', epoch) or '',
    redis.call('ZCARD', open_holds),
    redis.call('ZCOUNT', open_holds, '-inf', args.nowMs),
    redis.call('XLEN', usage),
    redis.call('XLEN', dead_usage),
    oldest and oldest[1] or '',
  })
end
return states
