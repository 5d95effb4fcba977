#!lua flags=allow-oom
-- Claims usage events that a consumer has read and not acknowledged for some time, of one or more shards.
--
-- Caller: UsageStream.claimStale, every two to sixteen seconds.
-- Atomic because one call for all shards costs a server less than one for each. A cluster gets one call for each shard.
-- A stream without the group has no such entries.
-- allow-oom: booked events release memory.
--
-- KEYS   the usage stream of each shard
-- ARGV   1 JSON {group, consumer, minIdleMs, count}; count: of all streams together
-- Reply  a list of {usage, entries} with entries as of XRANGE; streams without stale entries are left out

local args = cjson.decode(ARGV[1])
local claimed = {}
local left = tonumber(args.count)
for _, usage in ipairs(KEYS) do
  if left <= 0 then break end
  local reply = redis.pcall('XAUTOCLAIM', usage, args.group, args.consumer, args.minIdleMs, '0-0', 'COUNT', left)
  if reply.err then
    if not string.find(reply.err, 'NOGROUP', 1, true) then return reply end
  elseif #reply[2] > 0 then
    left = left - #reply[2]
    table.insert(claimed, {usage, reply[2]})
  end
end
return claimed
