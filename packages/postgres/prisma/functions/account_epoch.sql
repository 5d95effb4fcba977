-- The epoch of Redis that an account's escrow belongs to; null while it is being returned. Before the first epoch of the
-- shards, it is the epoch of the release that had one slot for all money.
-- Called by grant_escrow(), finish_video_task() and readLedgerBalances().
CREATE OR REPLACE FUNCTION account_epoch(p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(shard_epoch(shard_of(p_account_id)), active_epoch())
$$;
