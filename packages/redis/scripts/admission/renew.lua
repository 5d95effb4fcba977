#!lua flags=allow-oom
-- Extends the leases and holds of running requests. It never shortens one and never revives an ended request.
--
-- Caller: AdmissionStore.renew, every few seconds for all requests of one worker.
-- Requests of several shards are several calls in a cluster.
-- Atomic because a settlement between the check and the write would leave an open hold without a request.
-- allow-oom: a full Redis must not expire the holds of running requests.
--
-- KEYS   four per request: the open holds of its shard, its hold, the leases of its account, the leases of its API key
-- ARGV   1 JSON {requestIds, leasePrefixes, leaseMs, holdMs, givenMs}; how long both last from now on, as digits;
--          both lists in the order of KEYS; givenMs: see now_us;
--          leasePrefixes: only the hold names the keys above a child
-- Reply  ids of the requests without a hold: settled, swept or lost
-- include clock.lua

local args = cjson.decode(ARGV[1])
local now_ms = math.floor(now_us(args.givenMs) / 1000)
local lease_ms = tonumber(args.leaseMs)
local lease_until = string.format('%.0f', now_ms + lease_ms)
local hold_expires_at = string.format('%.0f', now_ms + tonumber(args.holdMs))
local ended = {}

local function extend(leases, request_id)
  redis.call('ZADD', leases, 'GT', lease_until, request_id)
  if redis.call('PTTL', leases) < lease_ms then redis.call('PEXPIRE', leases, lease_ms) end
end

for index, request_id in ipairs(args.requestIds) do
  local open_holds, hold, account_leases, key_leases = unpack(KEYS, 4 * index - 3, 4 * index)
  local expires_at, leased, above = unpack(redis.call('HMGET', hold, 'expiresAt', 'leased', 'above'))
  if not expires_at then
    table.insert(ended, request_id)
  else
    redis.call('HSET', hold, 'renewedAt', now_ms)
    if tonumber(expires_at) < tonumber(hold_expires_at) then
      redis.call('HSET', hold, 'expiresAt', hold_expires_at)
      redis.call('ZADD', open_holds, hold_expires_at, request_id)
    end
    if leased then
      if string.find(leased, 'account', 1, true) then extend(account_leases, request_id) end
      if string.find(leased, 'key', 1, true) then extend(key_leases, request_id) end
      for key_id in string.gmatch(above or '', '%S+') do extend(args.leasePrefixes[index] .. key_id, request_id) end
    end
  end
end
return ended
