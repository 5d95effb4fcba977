-- The id of a ledger account. p_account_id: null for an account of the house, other than the revenue of a shard.
-- Called by every function that posts.
CREATE OR REPLACE FUNCTION ledger_account_of(p_kind text, p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM ledger_account WHERE kind = p_kind AND coalesce(account_id, '') = coalesce(p_account_id, '') AND id > 0
$$;
