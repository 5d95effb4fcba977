-- Opens the ledger accounts of a new customer.
-- Trigger "open_ledger_accounts" of account.
CREATE OR REPLACE FUNCTION open_ledger_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_account (kind, account_id)
    VALUES ('customer', NEW.id), ('escrow', NEW.id), ('task_holds', NEW.id);
  RETURN NULL;
END $$;
