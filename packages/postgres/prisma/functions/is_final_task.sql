-- True if no change follows this state. Indexes use it: a new body needs a migration that rebuilds them.
-- Called by statements about open tasks; declared in the baseline too.
CREATE OR REPLACE FUNCTION is_final_task(p_state text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_state IN ('succeeded', 'failed', 'cancelled', 'expired')
$$;
