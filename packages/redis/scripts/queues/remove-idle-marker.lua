-- Removes BullMQ's marker from a queue that has no waiting job.
--
-- Caller: FetchingWorker, before the fetch that follows a job.
-- Atomic because a job that arrives after the check must not lose its marker.
-- BullMQ leaves a marker behind every fetched job. On an empty queue it wakes a worker for two useless fetches.
--
-- KEYS   1 wait  2 prioritized  3 marker (BullMQ's own keys of one queue)
-- ARGV   none
-- Reply  0
if redis.call('LLEN', KEYS[1]) == 0 and redis.call('ZCARD', KEYS[2]) == 0 then redis.call('ZREM', KEYS[3], '0') end
return 0
