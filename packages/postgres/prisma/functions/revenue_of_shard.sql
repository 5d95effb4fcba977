-- The id of the ledger account of revenue for a shard of money. Which of the 64 a charge pays says nothing: only their sum has a
-- meaning. Copies of billing hold different shards, so their batches do not wait for each other's balance of revenue.
-- Called by record_settlements and finish_video_task.
CREATE OR REPLACE FUNCTION revenue_of_shard(p_shard int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT -1 - greatest(p_shard, 0)::bigint
$$;
