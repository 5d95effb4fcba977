-- Counts the rows of the partitioned tables for the planner, once a day: autovacuum analyzes each partition, never the whole.
-- True: it has counted.
-- Called by analyzeMonths().
CREATE OR REPLACE FUNCTION analyze_months() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236112) OR EXISTS (
      SELECT 1 FROM pg_stat_user_tables WHERE relname = 'ledger_entry' AND last_analyze > now() - interval '1 day') THEN
    RETURN false;
  END IF;
  ANALYZE settlement, ledger_transaction, ledger_entry;
  RETURN true;
END $$;
