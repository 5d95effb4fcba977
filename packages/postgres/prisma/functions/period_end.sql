-- The end of the period that starts at p_start: the start of the next one. Null for `life`.
-- It adds to the local time, so that a day with a change of clocks has 23 or 25 hours.
-- Called by cap_periods(), count_caps() and seed_cap_counts().
CREATE OR REPLACE FUNCTION period_end(p_period text, p_time_zone text, p_start timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_period <> 'life' THEN
    (date_trunc(p_period, p_start AT TIME ZONE p_time_zone) + ('1 ' || p_period)::interval) AT TIME ZONE p_time_zone END
$$;
