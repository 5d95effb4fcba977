-- The epoch of a release that had one slot for all money; null once billing has moved the money to shards.
-- Called by account_epoch(), and by such a release beside this one.
CREATE OR REPLACE FUNCTION active_epoch() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT max(epoch) FROM redis_epoch WHERE shard = -1 AND activated_at IS NOT NULL AND retired_at IS NULL
$$;
