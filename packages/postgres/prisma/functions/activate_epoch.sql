-- Makes an epoch of Redis the active one in a single statement, for databases with few accounts: tests use it.
-- Returns the escrow of the former epoch to the customers and voids grants and returns that are under way.
-- Returns false if the epoch is active already, else the number of accounts and the amount returned.
-- Called by activateEpoch(). Production uses follow_epoch, which works in batches.
CREATE OR REPLACE FUNCTION activate_epoch(p_epoch bigint)
RETURNS TABLE (is_changed boolean, accounts bigint, returned_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_activation int;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  IF active_epoch() = p_epoch THEN
    RETURN QUERY SELECT false, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  UPDATE redis_epoch SET retired_at = now() WHERE activated_at IS NOT NULL AND retired_at IS NULL;
  INSERT INTO redis_epoch AS known (epoch, activations, activated_at) VALUES (p_epoch, 1, now())
    ON CONFLICT (epoch) DO UPDATE SET activations = known.activations + 1, activated_at = now(), retired_at = NULL
    RETURNING activations INTO v_activation;
  PERFORM setval('redis_epoch_epoch_seq', greatest(p_epoch, (SELECT last_value FROM redis_epoch_epoch_seq)));
  UPDATE escrow_grant SET voided_at = now() WHERE delivered_at IS NULL AND voided_at IS NULL;
  UPDATE escrow_return SET closed_at = now() WHERE closed_at IS NULL;
  RETURN QUERY
    WITH returned AS (
      SELECT ledger_account.account_id, ledger_account.id AS escrow_id, balance_nano_usd AS amount,
        'escrow-return:' || p_epoch || '.' || v_activation || ':' || ledger_account.account_id AS reference
      FROM ledger_balance JOIN ledger_account ON ledger_account.id = ledger_account_id
      WHERE kind = 'escrow' AND balance_nano_usd <> 0
    ), transactions AS (
      INSERT INTO ledger_transaction (reference, kind, account_id)
        SELECT reference, 'escrow_return', account_id FROM returned RETURNING id, reference
    ), entries AS (
      INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
        SELECT transactions.id, side.ledger_account_id, side.amount
        FROM returned JOIN transactions USING (reference)
        CROSS JOIN LATERAL (VALUES
          (returned.escrow_id, -returned.amount),
          (ledger_account_of('customer', returned.account_id), returned.amount)
        ) AS side (ledger_account_id, amount)
    )
    SELECT true, count(*), coalesce(sum(amount), 0)::bigint FROM returned;
END $$;
