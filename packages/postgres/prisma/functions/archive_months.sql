-- Detaches the ledger's partitions whose rows are all older than p_before, a first day of a month, and returns their names.
-- Receipts stay a month longer, because a charge is posted in the month of its receipt or in the next one.
-- ledger_archive keeps what each detached month moved, so that balances still equal the sum of what was posted. Then a late
-- event about a request of a detached month is refused: it might have been paid.
-- Dump the detached tables, then drop them. Only the owner may call it: docs/runbooks/archive-a-month.md
CREATE OR REPLACE FUNCTION archive_months(p_before date) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  v_before timestamptz := p_before::timestamp AT TIME ZONE 'UTC';
  v_part record;
BEGIN
  IF v_before <> date_trunc('month', v_before, 'UTC') OR v_before > date_trunc('month', now(), 'UTC') - interval '1 month' THEN
    RAISE EXCEPTION 'p_before must be the first day of a month, a month ago or more: % given', p_before
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(7236111);
  PERFORM set_config('lock_timeout', '10s', true);
  -- In the order of those who settle.
  LOCK TABLE settlement, ledger_transaction, ledger_entry IN ACCESS EXCLUSIVE MODE;
  FOR v_part IN
    SELECT relname AS name, substr(relname, length('ledger_entry') + 1) AS suffix FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'ledger_entry'::regclass AND relname <> 'ledger_entry_other' AND partition_end(relname) <= v_before
      ORDER BY partition_end(relname)
  LOOP
    EXECUTE format('INSERT INTO ledger_archive (partition, ledger_account_id, amount_nano_usd, entries)
      SELECT %L, ledger_account_id, sum(amount_nano_usd), count(*) FROM %I GROUP BY ledger_account_id', v_part.name, v_part.name);
    INSERT INTO archived_partition (name, ends_at) VALUES
      (v_part.name, partition_end(v_part.name)), ('ledger_transaction' || v_part.suffix, partition_end(v_part.name));
    EXECUTE format('ALTER TABLE ledger_entry DETACH PARTITION %I', v_part.name);
    EXECUTE format('ALTER TABLE ledger_transaction DETACH PARTITION %I', 'ledger_transaction' || v_part.suffix);
    -- The defaults call sequences and functions of this database: another one could not restore the dump.
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP DEFAULT', v_part.name);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP DEFAULT', 'ledger_transaction' || v_part.suffix);
    RETURN NEXT v_part.name;
    RETURN NEXT 'ledger_transaction' || v_part.suffix;
  END LOOP;
  FOR v_part IN
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'settlement'::regclass AND relname <> 'settlement_other'
        AND partition_end(relname) + interval '1 month' <= v_before
      ORDER BY partition_end(relname)
  LOOP
    INSERT INTO archived_partition (name, ends_at) VALUES (v_part.name, partition_end(v_part.name));
    EXECUTE format('ALTER TABLE settlement DETACH PARTITION %I', v_part.name);
    -- A late event would go to the default partition, and be charged again.
    EXECUTE format('ALTER TABLE settlement_other ADD CONSTRAINT %I CHECK (%s)', 'month_is_not_archived_' || substr(v_part.name, 12),
      CASE v_part.name WHEN 'settlement_undated' THEN $text$request_id < 'req_21'$text$
        ELSE format('request_id NOT LIKE %L', 'req\_' || to_char(partition_end(v_part.name) AT TIME ZONE 'UTC' - interval '1 month', 'YYYYMM') || '%') END);
    RETURN NEXT v_part.name;
  END LOOP;
END $$;
