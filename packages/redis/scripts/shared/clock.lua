-- now_us(given_ms): the time in microseconds. Tests give milliseconds; '' means the clock of this Redis.
local function now_us(given_ms)
  if given_ms ~= '' then return tonumber(given_ms) * 1000 end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
