-- The tokens of a request's units: prompt, cache and output together.
-- Called by count_caps() and seed_cap_counts().
CREATE OR REPLACE FUNCTION token_count(p_units jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(value::numeric), 0)::bigint FROM jsonb_each_text(p_units) WHERE key LIKE '%\_token'
$$;
