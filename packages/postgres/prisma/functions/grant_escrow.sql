-- The next block of a customer's money for Redis: what is missing, or the usual block if that is more, within the
-- balance. The amount is the block's if it was granted, else what the customer has.
-- ~~~
-- As before, and whoever is refused is told that the balance is exhausted.
-- ~~~
-- As before, and says no only if nothing is on its way back, which may be what is missing. `no_epoch` with an amount: ask
-- again when the return is finished. The release before knows no other word for it, and answers 503.
CREATE OR REPLACE FUNCTION grant_escrow(p_account_id text, p_missing bigint, p_block_limit bigint, p_block_divisor bigint)
RETURNS TABLE (outcome text, amount_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
  v_sequence bigint;
  v_customer bigint;
  v_amount bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  v_epoch := active_epoch();
  IF v_epoch IS NULL THEN
    RETURN QUERY SELECT 'no_epoch', NULL::bigint;
    RETURN;
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_account', NULL::bigint;
    RETURN;
  END IF;
  SELECT balance_nano_usd INTO v_customer FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('customer', p_account_id) FOR NO KEY UPDATE;
  IF v_customer <= 0 OR v_customer < p_missing THEN
    IF is_return_under_way(p_account_id) THEN
      RETURN QUERY SELECT 'no_epoch', v_customer;
      RETURN;
    END IF;
    PERFORM note_exhausted(p_account_id);
    RETURN QUERY SELECT 'refused', v_customer;
    RETURN;
  END IF;
  v_amount := least(v_customer, greatest(p_missing,
    least(p_block_limit, (v_customer + balance_of('escrow', p_account_id)) / p_block_divisor)));
  UPDATE account SET escrow_sequence = escrow_sequence + 1 WHERE id = p_account_id
    RETURNING escrow_sequence INTO v_sequence;
  INSERT INTO escrow_grant (account_id, sequence, epoch, amount_nano_usd)
    VALUES (p_account_id, v_sequence, v_epoch, v_amount);
  PERFORM post_transfer('escrow-grant:' || p_account_id || ':' || v_sequence, 'escrow_grant', p_account_id, NULL,
    ledger_account_of('customer', p_account_id), ledger_account_of('escrow', p_account_id), v_amount);
  RETURN QUERY SELECT 'granted', v_amount;
END $$;
