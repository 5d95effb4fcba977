-- First key of the advisory locks of the shards; the second one is the shard, -1 for the slot of former releases, -2 for the
-- leases of billing. Grants and settlements share them; a change of epoch holds those of its shards alone, so neither
-- sees half of the other. Called by every function that reads the active epoch.
CREATE OR REPLACE FUNCTION epoch_lock_key() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 7236101 $$;
