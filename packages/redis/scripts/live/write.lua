-- Writes bytes of a running stream at their place, unless Redis has lost what is before.
--
-- Caller: LiveResponses.write.
-- Atomic because Redis would fill a gap with zeros, and a reader would take them for the response: ioredis sends a command
-- again after a failover, whose new primary may lack the last writes.
--
-- KEYS   1 live_response
-- ARGV   1 offset  2 the bytes  3 seconds until they expire
-- Reply  1 written | 0 bytes before the offset are lost

local offset, bytes, expires_after = unpack(ARGV)
if redis.call('STRLEN', KEYS[1]) < tonumber(offset) then return 0 end
redis.call('SETRANGE', KEYS[1], offset, bytes)
redis.call('EXPIRE', KEYS[1], expires_after)
return 1
