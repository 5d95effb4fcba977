-- Moves the holds of open tasks from the customer to task_holds, if the event of the hold was lost with a Redis.
-- What that Redis held has gone back to the customer. Should the event arrive later, record_settlements recognises the
-- marker 'lost' and reports a double charge, which Redis then returns.
-- p_older_than_ms: minimum age of the submission; it must exceed the time that an event may take.
-- Adopts at most 500 holds. Returns their number and the SHA-256 of the live capped keys that have spent more. The caller
-- drops their cached records. Keys that replaced each other spend on the first, and each has a record of its own.
-- Called by adoptOrphanTaskHolds().
CREATE OR REPLACE FUNCTION adopt_orphan_task_holds(p_older_than_ms int) RETURNS TABLE (adopted bigint, capped_keys text[])
LANGUAGE plpgsql AS $$
DECLARE
  v_orphans text[];
BEGIN
  SELECT array_agg(id) INTO v_orphans FROM (
    SELECT id FROM video_task
      WHERE NOT is_final_task(state) AND hold_entry_id IS NULL AND hold_nano_usd > 0
        AND asked_at < now() - p_older_than_ms * interval '1 millisecond'
      ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED) AS orphans;
  IF v_orphans IS NULL THEN
    RETURN QUERY SELECT 0::bigint, '{}'::text[];
    RETURN;
  END IF;
  WITH orphans AS (
    UPDATE video_task SET hold_entry_id = 'lost' WHERE id = ANY(v_orphans)
      RETURNING request_id, account_id, key_id, hold_nano_usd
  ), spent AS (
    SELECT coalesce(spending_key_id, api_key.id) AS id, sum(hold_nano_usd)::bigint AS amount
      FROM orphans JOIN api_key ON api_key.id = key_id GROUP BY 1
  ), locked AS (
    SELECT id FROM api_key WHERE id IN (SELECT id FROM spent) ORDER BY id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE api_key SET spent_nano_usd = spent_nano_usd + spent.amount, spending_version = spending_version + 1
      FROM locked JOIN spent USING (id) WHERE api_key.id = locked.id
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id, reason)
      SELECT 'task-hold:' || request_id, 'task_hold', account_id, 'The event of the hold was lost with a Redis'
      FROM orphans RETURNING id, reference
  )
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
    SELECT transactions.id, side.ledger_account_id, side.amount
    FROM orphans JOIN transactions ON transactions.reference = 'task-hold:' || orphans.request_id
    CROSS JOIN LATERAL (VALUES
      (ledger_account_of('customer', orphans.account_id), -orphans.hold_nano_usd),
      (ledger_account_of('task_holds', orphans.account_id), orphans.hold_nano_usd)
    ) AS side (ledger_account_id, amount);
  PERFORM return_cap_costs(key_id, created_at, -hold_nano_usd) FROM video_task WHERE id = ANY(v_orphans) ORDER BY id;
  RETURN QUERY
    SELECT array_length(v_orphans, 1)::bigint, coalesce(array_agg(sha256), '{}') FROM api_key
      WHERE spend_cap_nano_usd IS NOT NULL AND revoked_at IS NULL AND coalesce(spending_key_id, id) IN (
        SELECT coalesce(first.spending_key_id, first.id)
          FROM video_task JOIN api_key AS first ON first.id = key_id WHERE video_task.id = ANY(v_orphans));
END $$;
