-- Caches the record of an API key, unless the key has just been invalidated.
--
-- Caller: KeyCache.set and KeyCache.setAbsent, after a read from the authority.
-- Atomic because an invalidation between the check and the write would cache the old record.
--
-- KEYS   1 key_record  2 key_fence (exists for ten seconds after an invalidation)
-- ARGV   1 JSON {record, ttlMs}; record: the text to cache; ttlMs as digits
-- Reply  1 cached | 0 fenced
local args = cjson.decode(ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[1], args.record, 'PX', args.ttlMs)
return 1
