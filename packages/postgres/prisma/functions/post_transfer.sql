-- Moves p_amount nano-USD between two ledger accounts under one reference. Returns the id of the transaction; null if
-- the reference exists.
-- Called by the functions that move money for one account.
CREATE OR REPLACE FUNCTION post_transfer(
  p_reference text, p_kind text, p_account_id text, p_reason text, p_from bigint, p_to bigint, p_amount bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_transaction_id bigint;
BEGIN
  INSERT INTO ledger_transaction (reference, kind, account_id, reason)
    VALUES (p_reference, p_kind, p_account_id, p_reason)
    ON CONFLICT (reference) DO NOTHING RETURNING id INTO v_transaction_id;
  IF v_transaction_id IS NOT NULL THEN
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      VALUES (v_transaction_id, p_from, -p_amount), (v_transaction_id, p_to, p_amount);
  END IF;
  RETURN v_transaction_id;
END $$;
