-- The lowest transaction id of the UTC month of a time: the month lies above 2^40, a number of the sequence below.
-- So an id says in which partition its transaction is, and ids rise with time.
-- Called by the default of ledger_transaction.id, and by statements that read few months.
CREATE OR REPLACE FUNCTION ledger_month_floor(p_at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(year FROM p_at AT TIME ZONE 'UTC')::bigint * 12 + extract(month FROM p_at AT TIME ZONE 'UTC')::bigint - 23641)
    * 1099511627776
$$;
