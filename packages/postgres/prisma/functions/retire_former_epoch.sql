-- Ends the epoch of the releases that had one slot for all money. Its usage events are then paid by the customers directly,
-- because their escrow returns with the first epoch of each shard.
-- Called by retireFormerEpoch(), after that slot has lost its own epoch: nothing is admitted there any more.
CREATE OR REPLACE FUNCTION retire_former_epoch() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key()::int, -1);
  UPDATE redis_epoch SET retired_at = now() WHERE shard = -1 AND activated_at IS NOT NULL AND retired_at IS NULL;
END $$;
