-- True if money of the account is on its way back from Redis. A return finishes within moments, so one that is older than
-- a minute was abandoned, and grants do not wait for it.
-- Called by grant_escrow and mirror_escrow.
CREATE OR REPLACE FUNCTION is_return_under_way(p_account_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM escrow_return
    WHERE account_id = p_account_id AND closed_at IS NULL AND opened_at > now() - interval '1 minute')
$$;
