-- Subtracts p_amount nano-USD from what counts against the caps of a key, its member and its account in the periods of p_at, in
-- the transaction that returns the money. A negative amount adds.
-- Called by finish_video_task, reverse_transaction and adopt_orphan_task_holds.
CREATE OR REPLACE FUNCTION return_cap_costs(p_key_id text, p_at timestamptz, p_amount bigint) RETURNS void
LANGUAGE sql AS $$
  WITH locked AS (
    SELECT owner_id, period, starts_at FROM cap_count
      WHERE owner_id IN (
          SELECT unnest(ARRAY[coalesce(spending_key_id, id), member_id, account_id]) FROM api_key WHERE id = p_key_id)
        AND starts_at <= p_at AND (ends_at IS NULL OR p_at < ends_at)
      ORDER BY owner_id, period, starts_at FOR NO KEY UPDATE
  )
  UPDATE cap_count SET cost_nano_usd = cost_nano_usd - p_amount, version = version + 1
    FROM locked WHERE (cap_count.owner_id, cap_count.period, cap_count.starts_at)
      = (locked.owner_id, locked.period, locked.starts_at)
$$;
