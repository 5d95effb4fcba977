-- The number for a new epoch of Redis. Returns a number again if it was never activated.
-- Called by nextEpoch().
CREATE OR REPLACE FUNCTION next_epoch() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  SELECT max(redis_epoch.epoch) INTO v_epoch FROM redis_epoch WHERE activations = 0;
  IF v_epoch IS NULL THEN
    INSERT INTO redis_epoch DEFAULT VALUES RETURNING epoch INTO v_epoch;
  END IF;
  RETURN v_epoch;
END $$;
