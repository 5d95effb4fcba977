-- Links the id of a request to the record of its idempotency key, which gets the response.
--
-- Caller: IdempotencyStore.linkResult, when the client of such a request leaves.
-- Atomic because a link without an expiry would stay for ever.
--
-- KEYS   1 link
-- ARGV   1 JSON {keySha256, retentionMs}; retentionMs as digits
-- Reply  1

local args = cjson.decode(ARGV[1])
redis.call('HSET', KEYS[1], 'link', args.keySha256)
redis.call('PEXPIRE', KEYS[1], args.retentionMs)
return 1
