-- Keeps the sums of some days of accounts with at least p_least rows of usage_rollup in the last week: those that are not
-- kept yet, and those of the last ten days that have changed. It is the only writer of usage_day. Returns how many it kept.
-- A day begins and ends in the time zone of its account. Days are kept an hour after their end, up to a year back.
-- Called by keepUsageDays() until nothing is left.
CREATE OR REPLACE FUNCTION keep_usage_days(p_least integer, p_days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_kept integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236114) THEN
    RETURN 0;
  END IF;
  WITH large AS MATERIALIZED (
    SELECT account_id AS id FROM usage_rollup WHERE starts_at >= now() - interval '7 days'
      GROUP BY account_id HAVING count(*) >= p_least
  ), day AS MATERIALIZED (
    SELECT large.id, day AT TIME ZONE time_zone AS starts_at, (day + interval '1 day') AT TIME ZONE time_zone AS ends_at
      FROM large JOIN account USING (id)
        CROSS JOIN LATERAL (SELECT min(starts_at) AS at FROM usage_rollup WHERE account_id = large.id) AS oldest
        CROSS JOIN LATERAL generate_series(date_trunc('day', greatest(oldest.at, now() - interval '367 days') AT TIME ZONE time_zone),
          date_trunc('day', (now() - interval '1 hour') AT TIME ZONE time_zone) - interval '1 day', interval '1 day') AS day
  ), due AS MATERIALIZED (
    SELECT day.id, day.starts_at, day.ends_at FROM day
      LEFT JOIN usage_day ON account_id = day.id AND usage_day.starts_at = day.starts_at AND usage_day.ends_at = day.ends_at
      WHERE account_id IS NULL OR day.ends_at > now() - interval '10 days' AND requests <> (
        SELECT coalesce(sum(usage_rollup.requests), 0) FROM usage_rollup
          WHERE account_id = day.id AND usage_rollup.starts_at >= day.starts_at AND usage_rollup.starts_at < day.ends_at)
      ORDER BY day.starts_at DESC LIMIT p_days
  )
  INSERT INTO usage_day (account_id, starts_at, ends_at, requests, lines)
    SELECT due.id, due.starts_at, due.ends_at, coalesce(sum(line.requests), 0),
        coalesce(jsonb_agg(to_jsonb(line)) FILTER (WHERE line.key_id IS NOT NULL), '[]')
      FROM due LEFT JOIN LATERAL (
        SELECT key_id, model, endpoint, outcome, sum(requests) AS requests, sum(cost) AS cost_nano_usd,
            coalesce(jsonb_object_agg(unit, amount) FILTER (WHERE unit IS NOT NULL), '{}') AS units
          FROM (
            SELECT key_id, model, endpoint, outcome, unit, sum(amount::numeric) AS amount,
                sum(requests) FILTER (WHERE coalesce(place, 1) = 1) AS requests,
                sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1) AS cost
              FROM usage_rollup LEFT JOIN LATERAL jsonb_each_text(units) WITH ORDINALITY AS one (unit, amount, place) ON true
              WHERE account_id = due.id AND starts_at >= due.starts_at AND starts_at < due.ends_at
              GROUP BY key_id, model, endpoint, outcome, unit) AS parts
          GROUP BY key_id, model, endpoint, outcome) AS line ON true
      GROUP BY due.id, due.starts_at, due.ends_at
    ON CONFLICT (account_id, starts_at, ends_at) DO UPDATE SET requests = excluded.requests, lines = excluded.lines;
  GET DIAGNOSTICS v_kept = ROW_COUNT;
  RETURN v_kept;
END $$;
