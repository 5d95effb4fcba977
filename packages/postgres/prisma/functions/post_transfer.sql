-- Moves p_amount nano-USD between two ledger accounts under one reference. Returns the id of the transaction; null if
-- the reference of a credit or a reversal exists. ledger_reference remembers these for ever, also when their month is gone.
-- The references of escrow are numbered while their account is locked.
-- Called by the functions that move money for one account.
CREATE OR REPLACE FUNCTION post_transfer(
  p_reference text, p_kind text, p_account_id text, p_reason text, p_from bigint, p_to bigint, p_amount bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_transaction_id bigint := ledger_month_floor(now()) + nextval('ledger_transaction_id_seq');
BEGIN
  IF p_kind IN ('top_up', 'adjustment') THEN
    INSERT INTO ledger_reference (reference, transaction_id) VALUES (p_reference, v_transaction_id) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO ledger_transaction (id, reference, kind, account_id, reason)
    VALUES (v_transaction_id, p_reference, p_kind, p_account_id, p_reason);
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
    VALUES (v_transaction_id, p_from, -p_amount), (v_transaction_id, p_to, p_amount);
  RETURN v_transaction_id;
END $$;
