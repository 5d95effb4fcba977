-- Credits a customer once for each reference, in nano-USD. p_kind: 'adjustment' is paid by adjustments, any other by top_ups.
-- outcome: 'posted', 'repeated' (the same credit exists), 'conflict' (another one has the reference), 'unknown_account'.
-- Called by postCredit().
CREATE OR REPLACE FUNCTION post_credit(p_reference text, p_account_id text, p_kind text, p_amount bigint, p_reason text)
RETURNS TABLE (outcome text, transaction_id bigint, created_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_transaction_id bigint;
  v_credit credit%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM account WHERE id = p_account_id) THEN
    RETURN QUERY SELECT 'unknown_account', NULL::bigint, NULL::timestamptz;
    RETURN;
  END IF;
  v_transaction_id := post_transfer('credit:' || p_reference, p_kind, p_account_id, p_reason,
    ledger_account_of(CASE p_kind WHEN 'adjustment' THEN 'adjustments' ELSE 'top_ups' END, NULL),
    ledger_account_of('customer', p_account_id), p_amount);
  IF v_transaction_id IS NOT NULL THEN
    INSERT INTO credit (reference, account_id, kind, amount_nano_usd, reason, transaction_id)
      VALUES (p_reference, p_account_id, p_kind, p_amount, p_reason, v_transaction_id);
  END IF;
  SELECT * INTO STRICT v_credit FROM credit WHERE credit.reference = p_reference;
  RETURN QUERY SELECT
    CASE
      WHEN v_transaction_id IS NOT NULL THEN 'posted'
      WHEN v_credit.account_id = p_account_id AND v_credit.kind = p_kind AND v_credit.amount_nano_usd = p_amount
        THEN 'repeated'
      ELSE 'conflict'
    END,
    v_credit.transaction_id, v_credit.created_at;
END $$;
