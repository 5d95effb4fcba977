-- Copies a batch of usage events into the ledger, each request once, in one statement.
-- p_events: UsageSettled objects with streamEntryId, shard, and the epoch of the shard in which each was read. Without a
-- shard they come from the slot of former releases, in the epoch p_epoch.
-- All charges of a batch pay the revenue of its lowest shard: one balance, which no batch of other shards locks.
-- A charge is paid from escrow, or by the customer if its epoch is over: the escrow has been returned.
-- A `held` event moves a task's hold to task_holds; if the task has ended, the hold goes to the customer.
-- The receipt of a task comes from finish_video_task, so other events about its request write none.
-- Returns {outcome: 'wait'} if the ledger has not followed Redis into one of the epochs: nothing was written. Else
-- {outcome: 'recorded', newRequests, spendings, capCounts, doubleCharges}.
-- A session keeps the plans of its first batch. Planned on an empty month, a scan or a join would read the whole of it for each
-- batch, until autovacuum counts it. So rows of tables are read by subqueries, which use an index.
-- Called by recordSettlements().
CREATE OR REPLACE FUNCTION record_settlements(p_events jsonb, p_epoch bigint) RETURNS jsonb LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  -- The requests that the customer pays directly.
  v_late text[] := '{}';
  v_is_known boolean;
  v_is_late boolean;
  v_revenue bigint;
  v_new text[];
  -- The entries of this batch that the ledger has now.
  v_added text[];
  v_has_holds boolean := p_events @? '$[*] ? (@.outcome == "held")';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key()::int, read.shard)
    FROM (SELECT DISTINCT coalesce(event.shard, -1) AS shard FROM jsonb_to_recordset(p_events) AS event (shard int)
      ORDER BY 1) AS read;
  SELECT bool_and(known.epoch IS NOT NULL), bool_or(known.retired_at IS NOT NULL), revenue_of_shard(min(read.shard))
    INTO v_is_known, v_is_late, v_revenue
    FROM (SELECT DISTINCT coalesce(event.shard, -1) AS shard, coalesce(event.epoch, p_epoch) AS epoch
      FROM jsonb_to_recordset(p_events) AS event (shard int, epoch bigint)) AS read
    LEFT JOIN redis_epoch AS known ON known.shard = read.shard AND known.epoch = read.epoch AND known.activated_at IS NOT NULL;
  IF NOT v_is_known THEN
    RETURN jsonb_build_object('outcome', 'wait');
  END IF;
  IF v_is_late THEN
    SELECT coalesce(array_agg("requestId"), '{}') INTO v_late
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, shard int, epoch bigint)
      JOIN redis_epoch AS known ON known.shard = coalesce(event.shard, -1) AND known.epoch = coalesce(event.epoch, p_epoch)
      WHERE retired_at IS NOT NULL;
  END IF;
  IF v_has_holds THEN
    PERFORM lock_held_tasks(p_events);
  END IF;

  WITH inserted AS (
    INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      vendor_cost_nano_usd, price_version, unit_prices, units, is_estimated, abort_contract, idempotency_hash, idempotency_key, error_code, status,
      changes, attempts, schema_version, admitted_at, queued_at, started_at, first_byte_at, settled_at, stream_entry_id, epoch)
    SELECT "requestId", "accountId", "keyId", endpoint, model, outcome, "holdNanoUsd", "costNanoUsd", "vendorCostNanoUsd",
      "priceVersion",
      "unitPrices", units, "isEstimated", "abortContract", "idempotencyHash", "idempotencyKey", "errorCode", status, changes,
      attempts, "schemaVersion", to_timestamp("admittedAtMs" / 1000.0), to_timestamp("queuedAtMs" / 1000.0),
      to_timestamp("startedAtMs" / 1000.0), to_timestamp("firstByteAtMs" / 1000.0),
      to_timestamp("settledAtMs" / 1000.0), "streamEntryId", coalesce(epoch, p_epoch)
    FROM jsonb_to_recordset(p_events) AS event (
      epoch bigint,
      "requestId" text, "accountId" text, "keyId" text, endpoint text, model text, outcome text, "holdNanoUsd" bigint,
      "costNanoUsd" bigint, "vendorCostNanoUsd" bigint, "priceVersion" text, "unitPrices" jsonb, units jsonb, "isEstimated" boolean,
      "abortContract" text, "idempotencyHash" text, "idempotencyKey" text, "errorCode" text, status int,
      changes jsonb, attempts jsonb, "schemaVersion" int, "admittedAtMs" numeric, "queuedAtMs" numeric, "startedAtMs" numeric, "firstByteAtMs" numeric, "settledAtMs" numeric, "streamEntryId" text)
    WHERE event.outcome <> 'held' AND (event.endpoint <> 'videos.generations'
      OR (SELECT id FROM video_task WHERE video_task.request_id = event."requestId") IS NULL)
    ORDER BY "requestId", "streamEntryId"
    ON CONFLICT (request_id) DO NOTHING
    RETURNING request_id, account_id, key_id, cost_nano_usd, settled_at, stream_entry_id
  ), held AS (
    SELECT DISTINCT ON (video_task.id) video_task.id, request_id, account_id, key_id, hold_nano_usd AS amount, asked_at,
      event."streamEntryId" AS entry_id, CASE WHEN is_final_task(state) THEN 'customer' ELSE 'task_holds' END AS target
    FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "streamEntryId" text)
    JOIN video_task ON request_id = event."requestId"
    WHERE v_has_holds AND event.outcome = 'held' AND hold_entry_id IS NULL
    ORDER BY video_task.id, event."streamEntryId"
  ), noted AS (
    UPDATE video_task SET hold_entry_id = held.entry_id FROM held WHERE video_task.id = held.id
  ), moved AS (
    SELECT 'settlement:' || request_id AS reference, 'settlement' AS kind, account_id, cost_nano_usd AS amount,
      CASE WHEN request_id = ANY (v_late) THEN 'customer' ELSE 'escrow' END AS source, 'revenue' AS target
      FROM inserted WHERE cost_nano_usd > 0
    UNION ALL
    SELECT 'task-hold:' || request_id, 'task_hold', account_id, amount, source, target
      FROM (SELECT *, CASE WHEN request_id = ANY (v_late) THEN 'customer' ELSE 'escrow' END AS source FROM held) AS paid
      WHERE amount > 0 AND target <> source
  ), sources AS MATERIALIZED (
    SELECT account_id, source,
        (SELECT id FROM ledger_account WHERE ledger_account.account_id = paying.account_id AND kind = paying.source) AS id
      FROM (SELECT DISTINCT account_id, source FROM moved) AS paying
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT reference, kind, account_id FROM moved RETURNING id, reference
  ), entries AS (
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT transactions.id, source.id, -moved.amount
        FROM moved JOIN transactions USING (reference) LEFT JOIN sources AS source USING (account_id, source)
      UNION ALL
      SELECT transactions.id, v_revenue, moved.amount
        FROM moved JOIN transactions USING (reference) WHERE moved.target = 'revenue'
      UNION ALL
      SELECT transactions.id, ledger_account_of(moved.target, moved.account_id), moved.amount
        FROM moved JOIN transactions USING (reference) WHERE moved.target <> 'revenue'
  ), charges AS (
    SELECT key_id, cost_nano_usd AS amount, settled_at AS used_at FROM inserted
    UNION ALL
    SELECT key_id, CASE WHEN target = 'task_holds' THEN amount ELSE 0 END, asked_at FROM held
  ), used AS MATERIALIZED (
    SELECT key_id AS id, amount, last_used_at,
        (SELECT coalesce(spending_key_id, api_key.id) FROM api_key WHERE api_key.id = key_id) AS spending_id
      FROM (SELECT key_id, sum(amount) AS amount, max(used_at) AS last_used_at FROM charges GROUP BY key_id) AS charged
  ), spent AS (
    SELECT spending_id AS id, sum(amount)::bigint AS amount FROM used GROUP BY spending_id
  ), locked AS (
    SELECT id FROM api_key WHERE id IN (SELECT id FROM spent UNION ALL SELECT id FROM used) ORDER BY id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE api_key SET
        spent_nano_usd = spent_nano_usd + coalesce(spent.amount, 0),
        spending_version = spending_version + (spent.id IS NOT NULL)::int,
        last_used_at = greatest(api_key.last_used_at, used.last_used_at)
      FROM locked LEFT JOIN spent ON spent.id = locked.id LEFT JOIN used ON used.id = locked.id
      WHERE api_key.id = locked.id
  )
  SELECT array_agg(request_id), array_agg(entry_id) INTO v_new, v_added
    FROM (SELECT request_id, stream_entry_id AS entry_id FROM inserted UNION ALL SELECT request_id, entry_id FROM held) AS new;
  IF v_new IS NOT NULL THEN
    PERFORM count_caps(p_events, v_new);
  END IF;

  RETURN jsonb_build_object(
    'outcome', 'recorded',
    'newRequests', coalesce(array_length(v_new, 1), 0),
    -- Not used any more: admission enforces spend caps.
    'exhaustedKeys', '[]'::jsonb,
    -- Also of requests that were recorded before: the process that recorded them may not have updated Redis.
    'spendings', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('accountId', account_id, 'spendingKeyId', id, 'spentNanoUsd', spent_nano_usd::text,
        'version', spending_version::text)), '[]')
      FROM api_key WHERE id IN (
        SELECT coalesce(spending_key_id, id) FROM api_key
          WHERE id IN (SELECT "keyId" FROM jsonb_to_recordset(p_events) AS event ("keyId" text)))),
    -- By the names that admission gave the counters in Redis, also of requests that were recorded before.
    'capCounts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('accountId', account_id, 'counter', counter, 'requests', requests::text, 'tokens', tokens::text,
        'cost', cost_nano_usd::text, 'version', version::text)), '[]')
      FROM (SELECT DISTINCT event."accountId" AS account_id, jsonb_array_elements_text(event.counters) AS counter
        FROM jsonb_to_recordset(p_events) AS event ("accountId" text, counters jsonb)
        WHERE event.counters IS NOT NULL) AS named
      JOIN cap_count ON owner_id = split_part(counter, ':', 1) AND period = split_part(counter, ':', 2)
        AND starts_at = to_timestamp(split_part(counter, ':', 3)::numeric / 1000.0)),
    -- A stream entry other than the recorded one: Redis charged the request twice.
    'doubleCharges', (
      SELECT coalesce(jsonb_agg(event."streamEntryId"), '[]')
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "streamEntryId" text)
      LEFT JOIN unnest(v_added) AS added (entry_id) ON added.entry_id = event."streamEntryId"
      WHERE added.entry_id IS NULL AND event."streamEntryId" <> CASE event.outcome
        WHEN 'held' THEN (SELECT hold_entry_id FROM video_task WHERE video_task.request_id = event."requestId")
        ELSE (SELECT stream_entry_id FROM settlement WHERE settlement.request_id = event."requestId") END));
END $$;
