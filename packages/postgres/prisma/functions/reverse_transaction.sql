-- Reverses one transaction of a customer by a new one of the opposite amount, once for each transaction. The money comes
-- from, or goes back to, the account of the house that took part in it. A charge that is reversed counts against no cap any
-- more: neither that of its key, nor those by calendar.
-- Called by reverseTransaction() and refund_repeated_charge().
CREATE OR REPLACE FUNCTION reverse_transaction(p_account_id text, p_reference text, p_reason text)
RETURNS TABLE (outcome text, transaction_id bigint, amount_nano_usd bigint, created_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_original ledger_transaction%ROWTYPE;
  v_house bigint;
  v_amount bigint;
  v_charge settlement%ROWTYPE;
  v_reversal ledger_transaction%ROWTYPE;
  v_transaction_id bigint;
BEGIN
  SELECT * INTO v_original FROM ledger_transaction AS original
    WHERE original.reference = p_reference AND original.account_id = p_account_id
      AND original.kind IN ('top_up', 'adjustment', 'settlement') AND original.reference NOT LIKE 'reversal:%';
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown', NULL::bigint, NULL::bigint, NULL::timestamptz;
    RETURN;
  END IF;
  SELECT ledger_account_id, entry.amount_nano_usd INTO STRICT v_house, v_amount
    FROM ledger_entry AS entry JOIN ledger_account ON ledger_account.id = ledger_account_id
    WHERE entry.transaction_id = v_original.id AND ledger_account.account_id IS NULL;
  SELECT * INTO v_charge FROM settlement
    WHERE v_original.kind = 'settlement' AND request_id = substr(p_reference, 1 + length('settlement:'));
  -- Before the balances, by the order of locks.
  PERFORM 1 FROM api_key
    WHERE id = (SELECT coalesce(spending_key_id, id) FROM api_key WHERE id = v_charge.key_id) FOR NO KEY UPDATE;
  v_transaction_id := post_transfer('reversal:' || p_reference, 'adjustment', p_account_id, p_reason,
    v_house, ledger_account_of('customer', p_account_id), v_amount);
  IF v_transaction_id IS NOT NULL AND v_charge.request_id IS NOT NULL THEN
    PERFORM return_key_spending(v_charge.key_id, v_charge.cost_nano_usd);
    PERFORM return_cap_costs(v_charge.key_id, v_charge.admitted_at, v_charge.cost_nano_usd);
  END IF;
  SELECT * INTO STRICT v_reversal FROM ledger_transaction AS reversal
    WHERE reversal.id = (SELECT known.transaction_id FROM ledger_reference AS known WHERE known.reference = 'reversal:' || p_reference);
  RETURN QUERY SELECT CASE WHEN v_transaction_id IS NULL THEN 'repeated' ELSE 'posted' END,
    v_reversal.id, v_amount, v_reversal.created_at;
END $$;
