-- Grants and settlements hold this lock shared, a change of epoch holds it alone: neither sees half of the other.
CREATE OR REPLACE FUNCTION epoch_lock_key() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 7236101 $$;
