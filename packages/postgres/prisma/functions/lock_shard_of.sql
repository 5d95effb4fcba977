-- Shares the lock of an account's shard, so that its epoch does not change before the transaction ends. Returns the shard.
-- Called by the functions that move the escrow of one account.
CREATE OR REPLACE FUNCTION lock_shard_of(p_account_id text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_shard int := shard_of(p_account_id);
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key()::int, v_shard);
  RETURN v_shard;
END $$;
