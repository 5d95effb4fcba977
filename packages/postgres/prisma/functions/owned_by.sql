-- All that a customer owns, in escrow and kept for tasks too: it changes by charges and credits, not by what is held meanwhile.
CREATE OR REPLACE FUNCTION owned_by(p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT sum(balance_nano_usd)::bigint FROM ledger_account JOIN ledger_balance ON ledger_account_id = id
    WHERE account_id = p_account_id
$$;
