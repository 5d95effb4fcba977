-- Until when an account keeps something. Null: until it is deleted.
-- What ends after its account was closed is due for removal at once.
-- Called by endDurableRequests(), finishBatch(), recordResponse(), appendTurn() and reserveObject().
CREATE OR REPLACE FUNCTION kept_until(p_account_id text, p_usual timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT closed_at FROM account WHERE id = p_account_id), p_usual)
$$;
