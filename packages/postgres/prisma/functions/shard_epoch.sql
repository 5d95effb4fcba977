-- The epoch of Redis that the ledger follows in a shard; null while it follows none there.
-- Called by activeEpoch() and by the functions that move escrow.
CREATE OR REPLACE FUNCTION shard_epoch(p_shard int) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT max(epoch) FROM redis_epoch WHERE shard = p_shard AND activated_at IS NOT NULL AND retired_at IS NULL
$$;
