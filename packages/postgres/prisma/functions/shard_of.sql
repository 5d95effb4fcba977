-- The shard of an account's money in Redis, 0 to 63: the folded FNV-1a hash of its id, as `shardOf` of the contracts computes it.
-- It never changes: ledger_account stores it.
CREATE OR REPLACE FUNCTION shard_of(p_account_id text) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  v_bytes bytea := convert_to(p_account_id, 'UTF8');
  v_hash bigint := 2166136261;
BEGIN
  FOR v_index IN 0 .. octet_length(v_bytes) - 1 LOOP
    v_hash := ((v_hash # get_byte(v_bytes, v_index)) * 16777619) & 4294967295;
  END LOOP;
  RETURN (v_hash # (v_hash >> 16)) & 63;
END $$;
