-- All that a customer owns, in nano-USD: free, in escrow and held for tasks. Holds do not change it; charges do.
-- Called by the functions of budget alerts.
CREATE OR REPLACE FUNCTION owned_by(p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT sum(balance_nano_usd)::bigint FROM ledger_account JOIN ledger_balance ON ledger_account_id = id
    WHERE account_id = p_account_id
$$;
