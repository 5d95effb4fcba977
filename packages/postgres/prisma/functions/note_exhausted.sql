-- A request was refused for want of money. While a block is on its way to Redis that is not the last word.
CREATE OR REPLACE FUNCTION note_exhausted(p_account_id text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT p_account_id, 'balance.exhausted', p_account_id, jsonb_build_object('balance_usd', usd_of(owned_by(p_account_id)))
      WHERE NOT EXISTS (SELECT 1 FROM escrow_grant
        WHERE account_id = p_account_id AND delivered_at IS NULL AND voided_at IS NULL)
    ON CONFLICT DO NOTHING
$$;
