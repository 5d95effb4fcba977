-- The balance of a ledger account, in nano-USD. p_account_id: null for an account of the house.
-- Called by grant_escrow.
CREATE OR REPLACE FUNCTION balance_of(p_kind text, p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT balance_nano_usd FROM ledger_balance WHERE ledger_account_id = ledger_account_of(p_kind, p_account_id)
$$;
