-- Raises or clears balance.low when the threshold changes.
-- Trigger "watch_low_balance" of account.
CREATE OR REPLACE FUNCTION watch_low_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_balance bigint;
BEGIN
  PERFORM 1 FROM ledger_balance
    WHERE ledger_account_id IN (SELECT id FROM ledger_account WHERE account_id = NEW.id)
    ORDER BY ledger_account_id DESC FOR NO KEY UPDATE;
  v_balance := owned_by(NEW.id);
  IF v_balance < NEW.low_balance_nano_usd THEN
    INSERT INTO budget_alert (subject, type, account_id, data)
      VALUES (NEW.id, 'balance.low', NEW.id, jsonb_build_object('balance_usd', usd_of(v_balance),
        'low_balance_usd', usd_of(NEW.low_balance_nano_usd)))
      ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM budget_alert WHERE subject = NEW.id AND type = 'balance.low';
  END IF;
  RETURN NULL;
END $$;
