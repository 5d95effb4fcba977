-- Renews a billing copy's lease for p_lease_ms milliseconds and shares the shards among the copies with a lease. The copy
-- gives up what is above its share, and takes what no living copy holds, up to its share.
-- Returns the shards that it holds now, and how many no copy holds.
-- Called by holdShards(), every two seconds.
CREATE OR REPLACE FUNCTION hold_shards(p_copy text, p_lease_ms int) RETURNS TABLE (held int[], unheld int)
LANGUAGE plpgsql AS $$
DECLARE
  v_share int;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key()::int, -2);
  INSERT INTO billing_copy AS copy (name, expires_at)
    VALUES (p_copy, clock_timestamp() + p_lease_ms * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at;
  DELETE FROM billing_copy WHERE expires_at <= clock_timestamp();
  UPDATE billing_shard SET holder = NULL
    WHERE holder IS NOT NULL AND NOT EXISTS (SELECT 1 FROM billing_copy WHERE name = holder);
  SELECT ceil(64.0 / count(*)) INTO v_share FROM billing_copy;
  UPDATE billing_shard SET holder = NULL
    WHERE shard IN (SELECT shard FROM billing_shard WHERE holder = p_copy ORDER BY shard OFFSET v_share);
  UPDATE billing_shard SET holder = p_copy, taken_at = clock_timestamp()
    WHERE shard IN (SELECT shard FROM billing_shard WHERE holder IS NULL ORDER BY shard
      LIMIT greatest(0, v_share - (SELECT count(*) FROM billing_shard WHERE holder = p_copy)));
  RETURN QUERY SELECT coalesce(array_agg(shard::int ORDER BY shard) FILTER (WHERE holder = p_copy), '{}'),
    (count(*) FILTER (WHERE holder IS NULL))::int FROM billing_shard;
END $$;
