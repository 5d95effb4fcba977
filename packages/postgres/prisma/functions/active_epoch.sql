-- The epoch of Redis that the ledger follows; null while it follows none.
-- Called by activeEpoch() and by the functions that move escrow.
CREATE OR REPLACE FUNCTION active_epoch() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT max(epoch) FROM redis_epoch WHERE activated_at IS NOT NULL AND retired_at IS NULL
$$;
