-- Returns the job that the next fetch of a queue would start, without starting it.
--
-- Caller: FetchingWorker without a free slot, every few milliseconds while its queue was empty.
-- Atomic because a due job moves from one list to the other between two commands.
--
-- KEYS   1 wait  2 delayed (BullMQ's own keys of one queue)
-- ARGV   1 now, Unix milliseconds
-- Reply  the job's id, or '' if there is none
local waiting = redis.call('LINDEX', KEYS[1], -1)
if waiting then return waiting end
-- BullMQ's score: milliseconds times 4096, plus a counter.
return redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. string.format('%.0f', (tonumber(ARGV[1]) + 1) * 4096), 'LIMIT', 0, 1)[1] or ''
