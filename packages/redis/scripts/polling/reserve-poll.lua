-- Reserves the next free poll of a channel, if it is near enough.
--
-- Caller: PollRateLimiter.reserve, before each poll.
-- Atomic because all workers share the channel's limit: two must not get the same slot.
-- The key stores when the channel may be polled after all reservations; each one adds an interval, a cooldown moves it on.
--
-- KEYS   1 poll_rate
-- ARGV   1 JSON {intervalUs, maxWaitUs, givenMs}; as digits; givenMs: see now_us
-- Reply  {reserved 0|1, milliseconds until the slot}
-- include clock.lua

local args = cjson.decode(ARGV[1])
local poll_rate = KEYS[1]
local interval, max_wait = tonumber(args.intervalUs), tonumber(args.maxWaitUs)
local now = now_us(args.givenMs)
local at = math.max(now, tonumber(redis.call('GET', poll_rate) or '0'))
local wait = at - now
if wait > max_wait then return {0, math.ceil(wait / 1000)} end
redis.call('SET', poll_rate, string.format('%.0f', at + interval), 'PX', math.ceil((at + interval - now) / 1000) + 1000)
return {1, math.ceil(wait / 1000)}
