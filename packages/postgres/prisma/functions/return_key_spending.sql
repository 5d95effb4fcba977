-- Subtracts p_amount nano-USD from what a key has spent, in the transaction that returns the money. Returns the key on
-- which the spending counts, for Redis.
-- Called by finish_video_task and reverse_transaction.
CREATE OR REPLACE FUNCTION return_key_spending(p_key_id text, p_amount bigint)
RETURNS TABLE (spending_key_id text, spent_nano_usd bigint, spending_version bigint)
LANGUAGE sql AS $$
  UPDATE api_key AS counted
    SET spent_nano_usd = counted.spent_nano_usd - p_amount, spending_version = counted.spending_version + 1
    WHERE counted.id = (SELECT coalesce(api_key.spending_key_id, api_key.id) FROM api_key WHERE api_key.id = p_key_id)
    RETURNING counted.id, counted.spent_nano_usd, counted.spending_version
$$;
