-- Lets the ledger follow Redis into another epoch of some shards, one batch of p_limit accounts a call: 200,000 accounts
-- took 30 s in one statement, and callers give up after 15 s. The other shards are not touched.
-- Between the first and the last call these shards have no epoch: nothing is granted, returned or repaired. Settlements of
-- the former epoch are paid by the customer directly. Any process may make the next call.
-- p_after: last_id of the batch before; 0 at first. outcome: 'active' (nothing to do), 'returning' (call again), or
-- 'changed' (the epoch is active now). Amounts are nano-USD.
-- Called by followEpoch().
CREATE OR REPLACE FUNCTION follow_epoch(p_epoch bigint, p_shards int[], p_after bigint, p_limit int)
RETURNS TABLE (outcome text, last_id bigint, accounts bigint, returned_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_batch bigint;
  v_shards int[];
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key()::int, number) FROM (SELECT unnest(p_shards) AS number ORDER BY 1) AS ordered;
  v_shards := ARRAY(SELECT number FROM unnest(p_shards) AS number WHERE shard_epoch(number) IS DISTINCT FROM p_epoch);
  IF v_shards = '{}' THEN
    RETURN QUERY SELECT 'active', p_after, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  UPDATE redis_epoch SET retired_at = now()
    WHERE shard = ANY (v_shards) AND activated_at IS NOT NULL AND retired_at IS NULL;
  UPDATE escrow_grant SET voided_at = now()
    WHERE delivered_at IS NULL AND voided_at IS NULL AND shard_of(account_id) = ANY (v_shards);
  UPDATE escrow_return SET closed_at = now() WHERE closed_at IS NULL AND shard_of(account_id) = ANY (v_shards);

  -- Makes references unique: after another change of epoch, an account may be in a second batch.
  v_batch := nextval('ledger_transaction_id_seq');
  RETURN QUERY
    WITH returned AS MATERIALIZED (
      SELECT ledger_account.account_id, ledger_account.id AS escrow_id, balance_nano_usd AS amount,
        'escrow-return:' || p_epoch || '/' || v_batch || ':' || ledger_account.account_id AS reference
      FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
      WHERE ledger_account.id > p_after AND ledger_account_id > p_after AND kind = 'escrow' AND balance_nano_usd <> 0
        AND shard = ANY (v_shards)
      ORDER BY ledger_account.id LIMIT p_limit
    ), transactions AS (
      INSERT INTO ledger_transaction (reference, kind, account_id)
        SELECT reference, 'escrow_return', account_id FROM returned RETURNING id, reference
    ), entries AS (
      INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
        SELECT transactions.id, side.ledger_account_id, side.amount
        FROM returned JOIN transactions USING (reference)
        CROSS JOIN LATERAL (VALUES
          (returned.escrow_id, -returned.amount),
          (ledger_account_of('customer', returned.account_id), returned.amount)
        ) AS side (ledger_account_id, amount)
    )
    SELECT 'returning', max(escrow_id), count(*), sum(amount)::bigint FROM returned HAVING count(*) > 0;
  IF FOUND THEN
    RETURN;
  END IF;

  -- From the first account on: another epoch may have been active since this caller read it.
  IF EXISTS (SELECT 1 FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
      WHERE kind = 'escrow' AND balance_nano_usd <> 0 AND shard = ANY (v_shards)) THEN
    RETURN QUERY SELECT 'returning', 0::bigint, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  INSERT INTO redis_epoch AS known (shard, epoch, activations, activated_at)
    SELECT number, p_epoch, 1, now() FROM unnest(v_shards) AS number
    ON CONFLICT (shard, epoch) DO UPDATE SET activations = known.activations + 1, activated_at = now(), retired_at = NULL;
  PERFORM setval('redis_epoch_epoch_seq', greatest(p_epoch, (SELECT last_value FROM redis_epoch_epoch_seq)));
  RETURN QUERY SELECT 'changed', p_after, 0::bigint, 0::bigint;
END $$;
