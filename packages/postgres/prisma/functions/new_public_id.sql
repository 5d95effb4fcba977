-- A random id with a prefix, such as evt_0123….
-- Called by the functions that create events, deliveries, endpoints and secrets.
CREATE OR REPLACE FUNCTION new_public_id(p_prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT p_prefix || '_' || replace(gen_random_uuid()::text, '-', '')
$$;
