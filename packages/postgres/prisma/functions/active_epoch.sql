CREATE OR REPLACE FUNCTION active_epoch() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT max(epoch) FROM redis_epoch WHERE activated_at IS NOT NULL AND retired_at IS NULL
$$;
