-- The number for a new epoch of Redis, in any shards. Returns a number again if no shard has used it.
-- Called by nextEpoch().
CREATE OR REPLACE FUNCTION reserve_epoch() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  SELECT max(reserved.epoch) INTO v_epoch FROM redis_epoch AS reserved
    WHERE reserved.shard = -1 AND reserved.activations = 0
      AND NOT EXISTS (SELECT 1 FROM redis_epoch AS used WHERE used.epoch = reserved.epoch AND used.shard >= 0);
  IF v_epoch IS NULL THEN
    INSERT INTO redis_epoch DEFAULT VALUES RETURNING epoch INTO v_epoch;
  END IF;
  RETURN v_epoch;
END $$;
