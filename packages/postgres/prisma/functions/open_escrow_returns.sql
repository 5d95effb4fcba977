-- Opens a return for up to p_limit accounts whose escrow has not moved, and was not returned, for p_idle_ms milliseconds.
-- No money moves yet. Reads only accounts with escrow, and only the months since then.
-- A customer whose free balance is below zero, as after a reversal, need not be idle: Redis would serve money that is gone. A busy one
-- is tried again after ten seconds.
-- Called by openEscrowReturns().
CREATE OR REPLACE FUNCTION open_escrow_returns(p_idle_ms bigint, p_limit int)
RETURNS TABLE (account_id text, sequence bigint, epoch bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_shards int[];
  v_idle_since timestamptz := now() - p_idle_ms * interval '1 millisecond';
BEGIN
  -- A shard whose epoch is changing now has its turn in a later call.
  v_shards := ARRAY(SELECT number FROM generate_series(0, 63) AS number
    WHERE pg_try_advisory_xact_lock_shared(epoch_lock_key()::int, number));
  RETURN QUERY
    WITH held AS MATERIALIZED (
      SELECT ledger_account.account_id, ledger_account.id, active.epoch, free.balance_nano_usd < 0 AS is_overdrawn
        FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
        JOIN (SELECT number AS shard, shard_epoch(number) AS epoch FROM unnest(v_shards) AS number) AS active
          ON active.shard = ledger_account.shard AND active.epoch IS NOT NULL
        JOIN ledger_account AS customer ON customer.account_id = ledger_account.account_id AND customer.kind = 'customer'
        JOIN ledger_balance AS free ON free.ledger_account_id = customer.id
        LEFT JOIN escrow_return ON escrow_return.account_id = ledger_account.account_id
        WHERE ledger_account.kind = 'escrow' AND ledger_balance.balance_nano_usd > 0
          AND (escrow_return.account_id IS NULL
            OR escrow_return.closed_at IS NOT NULL AND escrow_return.opened_at <= CASE
              WHEN free.balance_nano_usd < 0 THEN greatest(v_idle_since, now() - interval '10 seconds') ELSE v_idle_since END)
    )
    INSERT INTO escrow_return AS last (account_id, epoch)
      SELECT held.account_id, held.epoch FROM held
        WHERE held.is_overdrawn OR coalesce((SELECT ledger_transaction.created_at
            FROM ledger_entry JOIN ledger_transaction ON ledger_transaction.id = transaction_id
            WHERE ledger_account_id = held.id AND transaction_id >= ledger_month_floor(v_idle_since)
            ORDER BY transaction_id DESC LIMIT 1) <= v_idle_since, true)
        ORDER BY held.account_id LIMIT p_limit
      -- Another process has opened the return: this row is not returned.
      ON CONFLICT (account_id) DO UPDATE
        SET sequence = last.sequence + 1, epoch = excluded.epoch, opened_at = now(), closed_at = NULL
        WHERE last.closed_at IS NOT NULL
      RETURNING last.account_id, last.sequence, last.epoch;
END $$;
