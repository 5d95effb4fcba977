-- The time before which all rows of a partition were posted, or all its requests began. For the rows from before there were
-- months, it is the end of the newest one.
-- p_name: such as settlement_y2026m11 or ledger_entry_undated.
-- Called by archive_months and by partitionsEnd().
CREATE OR REPLACE FUNCTION partition_end(p_name text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_month text[] := regexp_match(p_name, '_y(\d{4})m(\d\d)$');
BEGIN
  IF v_month IS NOT NULL THEN
    RETURN (make_date(v_month[1]::int, v_month[2]::int, 1)::timestamp + interval '1 month') AT TIME ZONE 'UTC';
  END IF;
  RETURN (SELECT coalesce(max(newest), '1970-01-01Z') FROM (
    SELECT CASE p_name WHEN 'settlement_undated' THEN (SELECT max(recorded_at) FROM settlement WHERE request_id >= 'req_21')
      ELSE (SELECT max(created_at) FROM ledger_transaction WHERE id < ledger_month_floor('2020-01-01Z')) END AS newest) AS one);
END $$;
