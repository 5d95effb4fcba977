-- Ends a task once: state, receipt, money and event in one transaction.
-- p_version: the version that the caller read; no row if the task has another version or has ended.
-- p_end: a TaskCompletion with costNanoUsd in nano-USD. p_record: the task as customers see it, for the event.
-- The hold leaves task_holds: the cost goes to revenue, the remainder to the customer.
-- Called by finishTask().
CREATE OR REPLACE FUNCTION finish_video_task(p_id text, p_version int, p_end jsonb, p_record jsonb) RETURNS SETOF video_task
LANGUAGE plpgsql AS $$
DECLARE
  v_task video_task%ROWTYPE;
  v_transaction_id bigint;
  v_cost bigint := (p_end->>'costNanoUsd')::bigint;
  v_released bigint;
BEGIN
  SELECT * INTO v_task FROM video_task
    WHERE id = p_id AND version = p_version AND NOT is_final_task(state) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  -- Before the receipt: its trigger locks the sums of reports, which come after keys.
  PERFORM 1 FROM api_key
    WHERE id = (SELECT coalesce(spending_key_id, id) FROM api_key WHERE id = v_task.key_id) FOR NO KEY UPDATE;
  INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      vendor_cost_nano_usd, price_version, unit_prices, units, is_estimated, abort_contract, idempotency_key, error_code, status, attempts,
      schema_version, admitted_at, started_at, first_byte_at, settled_at, stream_entry_id, epoch)
    VALUES (v_task.request_id, v_task.account_id, v_task.key_id, 'videos.generations', v_task.model, p_end->>'outcome',
      v_task.hold_nano_usd, v_cost, (p_end->>'vendorCostNanoUsd')::bigint, v_task.price_version, v_task.unit_prices, p_end->'units',
      false, 'completes',
      v_task.idempotency_key, p_end->'error'->>'code', CASE WHEN v_task.submitted_at IS NOT NULL THEN 202 END,
      p_end->'attempts', 1, v_task.created_at, v_task.asked_at, v_task.submitted_at,
      to_timestamp((p_end->>'finishedAtMs')::numeric / 1000.0), v_task.id, coalesce(account_epoch(v_task.account_id), 0))
    ON CONFLICT (request_id) DO NOTHING;
  -- An existing receipt says that the request cost nothing, and receipts are never changed.
  IF NOT FOUND THEN
    v_cost := 0;
    p_record := jsonb_set(p_record, '{cost}', '"0.00"');
  END IF;

  UPDATE video_task SET state = p_end->>'state', version = version + 1, cost_nano_usd = v_cost,
      finished_at = to_timestamp((p_end->>'finishedAtMs')::numeric / 1000.0),
      started_at = coalesce(started_at, to_timestamp((p_end->>'startedAtMs')::numeric / 1000.0)),
      content = nullif(p_end->'content', 'null'), usage = nullif(p_end->'usage', 'null'),
      seed = (p_end->>'seed')::bigint, error = nullif(p_end->'error', 'null'),
      upstream = coalesce(nullif(p_end->'upstream', 'null'), upstream), attempts = p_end->'attempts',
      cancel_outcome = CASE WHEN cancel_requested_at IS NULL THEN NULL ELSE p_end->>'cancelOutcome' END,
      -- The upstream never accepted it, so the client may use the key again.
      idempotency_key = CASE WHEN (p_end->>'freesIdempotencyKey')::boolean THEN NULL ELSE idempotency_key END,
      prompt = NULL, next_poll_at = NULL, lease_until = NULL, lease_owner = NULL
    WHERE id = p_id RETURNING * INTO v_task;

  v_released := CASE WHEN v_task.hold_entry_id IS NULL THEN 0 ELSE v_task.hold_nano_usd END;
  IF v_released <> v_cost THEN
    -- The hold has counted as spent since it was booked.
    PERFORM return_key_spending(v_task.key_id, v_released - v_cost);
  END IF;
  IF v_cost > 0 OR v_released > 0 THEN
    INSERT INTO ledger_transaction (reference, kind, account_id)
      VALUES (CASE WHEN v_cost > 0 THEN 'settlement:' ELSE 'task-release:' END || v_task.request_id,
        CASE WHEN v_cost > 0 THEN 'settlement' ELSE 'task_release' END, v_task.account_id)
      RETURNING id INTO v_transaction_id;
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT v_transaction_id, side.ledger_account_id, side.amount
      FROM (VALUES
        (ledger_account_of('task_holds', v_task.account_id), -v_released),
        (ledger_account_of('customer', v_task.account_id), v_released - v_cost),
        (revenue_of_shard(shard_of(v_task.account_id)), v_cost)
      ) AS side (ledger_account_id, amount)
      WHERE side.amount <> 0;
  END IF;
  IF v_released <> v_cost THEN
    -- After the balances, by the order of locks.
    PERFORM return_cap_costs(v_task.key_id, v_task.created_at, v_released - v_cost);
  END IF;
  PERFORM emit_event(v_task.account_id, 'video.task.' || v_task.state, v_task.id, p_record, v_task.webhook_url,
    v_task.is_test);
  RETURN NEXT v_task;
END $$;
