-- Host and port of a normalised URL; an empty string if there is none.
-- Called by the functions that create deliveries.
CREATE OR REPLACE FUNCTION webhook_host(p_url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(substring(lower(p_url) FROM '^[a-z]+://([^/?#]*)'), '')
$$;
