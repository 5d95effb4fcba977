-- Raises the alert balance.exhausted after a refused grant, unless a grant is still on its way to Redis.
-- Called by grant_escrow.
CREATE OR REPLACE FUNCTION raise_exhausted_alert(p_account_id text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT p_account_id, 'balance.exhausted', p_account_id, jsonb_build_object('balance_usd', usd_of(owned_by(p_account_id)))
      WHERE NOT EXISTS (SELECT 1 FROM escrow_grant
        WHERE account_id = p_account_id AND delivered_at IS NULL AND voided_at IS NULL)
    ON CONFLICT DO NOTHING
$$;
