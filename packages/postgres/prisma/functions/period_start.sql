-- The start of the calendar day, week (from Monday) or month of a time zone in which p_at lies; of `life`: the epoch.
-- Where clocks go back at midnight, midnight comes twice: the day starts at the second one, and the hour before it
-- belongs to the day before.
-- Called by cap_periods(), count_caps() and seed_cap_counts().
CREATE OR REPLACE FUNCTION period_start(p_period text, p_time_zone text, p_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_period = 'life' THEN to_timestamp(0)
    WHEN date_trunc(p_period, p_at, p_time_zone) > p_at THEN date_trunc(p_period, p_at - interval '1 hour', p_time_zone)
    ELSE date_trunc(p_period, p_at, p_time_zone)
  END
$$;
