-- The start of the calendar day, week (from Monday) or month of a time zone in which p_at lies; of `life`: the epoch.
-- Called by cap_periods(), count_caps() and seed_cap_counts().
CREATE OR REPLACE FUNCTION period_start(p_period text, p_time_zone text, p_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE p_period WHEN 'life' THEN to_timestamp(0) ELSE date_trunc(p_period, p_at, p_time_zone) END
$$;
