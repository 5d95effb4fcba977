-- Stops all polls of a channel for a while. A shorter cooldown never cuts a longer one.
--
-- Caller: PollRateLimiter.coolDown, after the upstream throttled a poll.
-- Atomic because a longer cooldown of another worker must stay.
--
-- KEYS   1 poll_rate
-- ARGV   1 JSON {cooldownMs, givenMs}; as digits; givenMs: see now_us
-- Reply  1 set | 0 a longer one is set
-- include clock.lua

local args = cjson.decode(ARGV[1])
local poll_rate = KEYS[1]
local cooldown_ms = tonumber(args.cooldownMs)
local until_us = now_us(args.givenMs) + cooldown_ms * 1000
if tonumber(redis.call('GET', poll_rate) or '0') >= until_us then return 0 end
redis.call('SET', poll_rate, string.format('%.0f', until_us), 'PX', cooldown_ms + 1000)
return 1
