-- The bounds of the partition of a month, as SQL: FOR VALUES FROM (lower) TO (upper).
-- p_table: settlement is split by the month of the request id, the ledger by the month of the posting.
-- Called by make_month_partitions.
CREATE OR REPLACE FUNCTION month_bounds(p_table text, p_month date) RETURNS TABLE (lower text, upper text)
LANGUAGE sql STABLE AS $$
  SELECT CASE p_table WHEN 'settlement' THEN quote_literal('req_' || to_char(at, 'YYYYMM'))
      ELSE ledger_month_floor(at AT TIME ZONE 'UTC')::text END,
    CASE p_table WHEN 'settlement' THEN quote_literal('req_' || to_char(at + interval '1 month', 'YYYYMM'))
      ELSE ledger_month_floor((at + interval '1 month') AT TIME ZONE 'UTC')::text END
  FROM (SELECT p_month::timestamp AS at) AS month
$$;
