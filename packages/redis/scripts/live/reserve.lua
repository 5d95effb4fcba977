-- Reserves memory for the bytes of one running stream, unless its scope has none left.
--
-- Caller: LiveResponses.write, once for each account and once for all accounts.
-- Atomic because workers reserve at once. A stream whose worker died leaves at its expiry, with its bytes.
--
-- KEYS   1 expiries (sorted set: request by expiry)  2 sizes (hash: bytes by request, and 'total')
-- ARGV   1 JSON {requestId, bytes, limitBytes, expiresInMs, givenMs}; as digits; givenMs: see now_us
-- Reply  1 reserved | 0 no room; then what was reserved before stays
-- include clock.lua
local args = cjson.decode(ARGV[1])
local now = now_us(args.givenMs) / 1000

for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do
  redis.call('HINCRBY', KEYS[2], 'total', -tonumber(redis.call('HGET', KEYS[2], id) or '0'))
  redis.call('HDEL', KEYS[2], id)
  redis.call('ZREM', KEYS[1], id)
end

local had = tonumber(redis.call('HGET', KEYS[2], args.requestId) or '0')
local wanted = math.max(had, tonumber(args.bytes))
local total = tonumber(redis.call('HGET', KEYS[2], 'total') or '0')
if total - had + wanted > tonumber(args.limitBytes) then return 0 end

redis.call('HSET', KEYS[2], args.requestId, string.format('%.0f', wanted))
redis.call('HINCRBY', KEYS[2], 'total', string.format('%.0f', wanted - had))
redis.call('ZADD', KEYS[1], now + tonumber(args.expiresInMs), args.requestId)
redis.call('PEXPIRE', KEYS[1], args.expiresInMs)
redis.call('PEXPIRE', KEYS[2], args.expiresInMs)
return 1
