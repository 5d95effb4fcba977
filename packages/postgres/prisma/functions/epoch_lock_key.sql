-- Key of an advisory lock. Grants and settlements share it; a change of epoch holds it alone, so neither sees half of
-- the other. Called by every function that reads the active epoch.
CREATE OR REPLACE FUNCTION epoch_lock_key() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 7236101 $$;
