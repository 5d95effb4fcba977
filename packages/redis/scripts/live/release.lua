-- Returns the memory of one stream that has ended.
--
-- Caller: LiveResponses.end. A repeated call changes nothing.
-- Atomic because the total and its parts must agree.
--
-- KEYS   1 expiries (sorted set: request by expiry)  2 sizes (hash: bytes by request, and 'total')
-- ARGV   1 request id
-- Reply  the bytes returned
local had = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
if had > 0 then redis.call('HINCRBY', KEYS[2], 'total', -had) end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return had
