-- Grants Redis the next block of a customer's money, in nano-USD: at least p_missing, else the usual block.
-- The usual block is 1/p_block_divisor of what the customer has free and in escrow, at most p_block_limit.
-- outcome: 'granted' with the block; 'refused' with the customer's balance; 'unknown_account'; 'no_epoch' (retry later).
-- 'no_epoch' comes with an amount if the balance is too low while a return is under way: retry when it has finished.
-- Called by grantEscrow().
CREATE OR REPLACE FUNCTION grant_escrow(p_account_id text, p_missing bigint, p_block_limit bigint, p_block_divisor bigint)
RETURNS TABLE (outcome text, amount_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
  v_sequence bigint;
  v_customer bigint;
  v_amount bigint;
BEGIN
  PERFORM lock_shard_of(p_account_id);
  v_epoch := account_epoch(p_account_id);
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
    PERFORM raise_exhausted_alert(p_account_id);
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
