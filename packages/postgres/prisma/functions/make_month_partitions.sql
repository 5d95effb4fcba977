-- Makes the partitions of p_first and the months up to p_last, for receipts and ledger, and returns the names of the new ones.
-- Rows that went to the default partition because their month was missing move to it. The row triggers of the parents do
-- not see them again. Waits two seconds for a lock, then fails: settlements must not queue behind it. It may run again.
-- A posting has one reference in its month. ledger_reference holds those that must be unique for ever.
-- Called by the migration and by makeMonthPartitions().
CREATE OR REPLACE FUNCTION make_month_partitions(p_first date, p_last date) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  v_table text;
  v_name text;
  v_key text;
  v_bounds record;
  v_month date;
  v_new text[];
BEGIN
  PERFORM pg_advisory_xact_lock(7236111);
  PERFORM set_config('lock_timeout', '2s', true);
  FOR v_month IN SELECT generate_series(date_trunc('month', p_first::timestamp), p_last, interval '1 month')::date LOOP
    v_new := '{}';
    -- Entries leave the default partition before their transactions, which they refer to.
    FOREACH v_table IN ARRAY ARRAY['ledger_entry', 'ledger_transaction', 'settlement'] LOOP
      v_name := format('%s_y%sm%s', v_table, to_char(v_month, 'YYYY'), to_char(v_month, 'MM'));
      CONTINUE WHEN to_regclass(v_name) IS NOT NULL
        OR EXISTS (SELECT 1 FROM archived_partition WHERE name = v_name);
      v_key := CASE v_table WHEN 'ledger_entry' THEN 'transaction_id' WHEN 'settlement' THEN 'request_id' ELSE 'id' END;
      SELECT * INTO v_bounds FROM month_bounds(v_table, v_month);
      -- In the order of those who settle: no settlement is under way when a default partition is locked.
      LOCK TABLE settlement, ledger_transaction, ledger_entry IN SHARE ROW EXCLUSIVE MODE;
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', v_table || '_other');
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', v_name, v_table);
      EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %I >= %s AND %I < %s', v_name, v_table || '_other',
        v_key, v_bounds.lower, v_key, v_bounds.upper);
      EXECUTE format('DELETE FROM %I WHERE %I >= %s AND %I < %s', v_table || '_other', v_key, v_bounds.lower, v_key, v_bounds.upper);
      v_new := v_new || v_table;
      RETURN NEXT v_name;
    END LOOP;
    FOREACH v_table IN ARRAY ARRAY['settlement', 'ledger_transaction', 'ledger_entry'] LOOP
      CONTINUE WHEN NOT v_table = ANY (v_new);
      v_name := format('%s_y%sm%s', v_table, to_char(v_month, 'YYYY'), to_char(v_month, 'MM'));
      SELECT * INTO v_bounds FROM month_bounds(v_table, v_month);
      IF v_table = 'ledger_transaction' THEN
        EXECUTE format('CREATE UNIQUE INDEX ON %I (reference)', v_name);
      END IF;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', v_table, v_name, v_bounds.lower, v_bounds.upper);
    END LOOP;
  END LOOP;
END $$;
