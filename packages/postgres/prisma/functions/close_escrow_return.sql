-- Books what Redis has taken out under this return, in nano-USD, from escrow to the customer.
-- Returns the customer's balance and its version; no row if the return is closed or void.
-- Called by closeEscrowReturn().
CREATE OR REPLACE FUNCTION close_escrow_return(p_account_id text, p_sequence bigint, p_amount bigint)
RETURNS TABLE (customer_nano_usd bigint, customer_version bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_shard_of(p_account_id);
  -- Before the balances: a concurrent grant sees the open return or its money.
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  UPDATE escrow_return SET closed_at = now()
    WHERE account_id = p_account_id AND sequence = p_sequence AND closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_amount > 0 THEN
    PERFORM post_transfer('escrow-return:' || p_account_id || ':' || p_sequence, 'escrow_return', p_account_id, NULL,
      ledger_account_of('escrow', p_account_id), ledger_account_of('customer', p_account_id), p_amount);
  END IF;
  RETURN QUERY SELECT balance_nano_usd, version FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('customer', p_account_id);
END $$;
