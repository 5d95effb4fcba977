-- Rejects a change of a balance that does not come from another trigger.
-- Trigger "follows_entries" of ledger_balance.
CREATE OR REPLACE FUNCTION refuse_direct_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() < 2 OR TG_OP IN ('DELETE', 'TRUNCATE') THEN
    RAISE EXCEPTION 'ledger_balance follows ledger_entry: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
