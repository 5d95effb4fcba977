-- Opens the balance of a new ledger account, at zero.
-- Trigger "open_balance" of ledger_account.
CREATE OR REPLACE FUNCTION open_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_balance (ledger_account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
