-- Keeps what the ledger moved in some ended months of accounts that have kept days of usage: those that are not kept yet, and
-- the last one if it has changed. It is the only writer of ledger_month. Returns how many it kept.
-- A month is that of the ids, in UTC. Its sums are by the quarter of an hour of booking, which fits every time zone.
-- Called by keepLedgerMonths() until nothing is left.
CREATE OR REPLACE FUNCTION keep_ledger_months(p_months integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_last bigint := (ledger_month_floor(now() - interval '1 hour') >> 40) - 1;
  v_kept integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236115) THEN
    RETURN 0;
  END IF;
  WITH large AS MATERIALIZED (
    SELECT DISTINCT account_id AS id FROM usage_day
  ), due AS MATERIALIZED (
    SELECT large.id, number AS month, number << 40 AS first_id, (number + 1) << 40 AS end_id
      FROM large
        CROSS JOIN LATERAL (SELECT min(id) >> 40 AS month FROM ledger_transaction
          WHERE account_id = large.id AND kind IN ('top_up', 'adjustment', 'settlement') AND id >= 1::bigint << 40) AS oldest
        CROSS JOIN LATERAL generate_series(oldest.month, v_last) AS number
        LEFT JOIN ledger_month ON account_id = large.id AND ledger_month.month = number
      WHERE account_id IS NULL OR number = v_last AND last_id < (
        SELECT max(id) FROM ledger_transaction WHERE account_id = large.id AND kind IN ('top_up', 'adjustment', 'settlement')
          AND id >= number << 40 AND id < (number + 1) << 40)
      ORDER BY number DESC LIMIT p_months
  ), counted AS MATERIALIZED (
    SELECT due.id, month, date_bin('15 minutes', created_at, 'epoch') AS starts_at, max(ledger_transaction.id) AS last_id,
        count(*) AS lines, count(*) FILTER (WHERE kind = 'settlement') AS charges, 0 AS amount
      FROM due JOIN ledger_transaction ON account_id = due.id AND kind IN ('top_up', 'adjustment', 'settlement')
        AND ledger_transaction.id >= first_id AND ledger_transaction.id < end_id
      GROUP BY 1, 2, 3
  ), moved AS MATERIALIZED (
    SELECT due.id, month, date_bin('15 minutes', created_at, 'epoch') AS starts_at, NULL::bigint AS last_id, 0 AS lines,
        0 AS charges, sum(amount_nano_usd) AS amount
      FROM due JOIN ledger_account ON account_id = due.id
        JOIN ledger_entry ON ledger_account_id = ledger_account.id AND transaction_id >= first_id AND transaction_id < end_id
        JOIN ledger_transaction ON ledger_transaction.id = transaction_id
          AND ledger_transaction.id >= first_id AND ledger_transaction.id < end_id
      GROUP BY 1, 2, 3
  ), quarter AS (
    SELECT id, month, starts_at, max(last_id) AS last_id, sum(lines) AS lines, sum(charges) AS charges, sum(amount) AS amount
      FROM (SELECT * FROM counted UNION ALL SELECT * FROM moved) AS both_sides GROUP BY 1, 2, 3
  )
  INSERT INTO ledger_month (account_id, month, last_id, starts, lines, charges, amounts)
    SELECT due.id, due.month, coalesce(max(last_id), 0),
        coalesce(array_agg(starts_at ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}'),
        coalesce(array_agg(lines ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}'),
        coalesce(array_agg(charges ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}'),
        coalesce(array_agg(amount ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}')
      FROM due LEFT JOIN quarter ON quarter.id = due.id AND quarter.month = due.month
      GROUP BY due.id, due.month
    ON CONFLICT (account_id, month) DO UPDATE SET last_id = excluded.last_id, starts = excluded.starts,
      lines = excluded.lines, charges = excluded.charges, amounts = excluded.amounts;
  GET DIAGNOSTICS v_kept = ROW_COUNT;
  RETURN v_kept;
END $$;
