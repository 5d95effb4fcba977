CREATE OR REPLACE FUNCTION is_final_task(p_state text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_state IN ('succeeded', 'failed', 'cancelled', 'expired')
$$;
