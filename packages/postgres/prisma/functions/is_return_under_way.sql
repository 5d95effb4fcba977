-- A return that a process of this release has opened is finished within moments. One that is older was left by a release that
-- is not there any more, and the one before knows nothing of returns: it must not wait for it.
CREATE OR REPLACE FUNCTION is_return_under_way(p_account_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM escrow_return
    WHERE account_id = p_account_id AND closed_at IS NULL AND opened_at > now() - interval '1 minute')
$$;
