-- What a video task may be and what its money does. A task's hold leaves Redis with the submission: the ledger keeps it in
-- `task_holds` until the task ends. Locks: epoch, task, receipt, key, balances, events of the account.

ALTER TABLE "video_task" ADD CONSTRAINT "video_task_state_is_known" CHECK ("state" IN
  ('submitting', 'submit_unknown', 'queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'));
ALTER TABLE "video_task" ADD CONSTRAINT "video_task_ends_once"
  CHECK (("state" IN ('succeeded', 'failed', 'cancelled', 'expired')) = ("finished_at" IS NOT NULL)
    AND ("finished_at" IS NOT NULL) = ("cost_nano_usd" IS NOT NULL));
-- The promise to the customer: never more than the hold, and nothing for what was not made.
ALTER TABLE "video_task" ADD CONSTRAINT "video_task_cost_is_promised"
  CHECK ("hold_nano_usd" >= 0 AND "cost_nano_usd" BETWEEN 0 AND "hold_nano_usd"
    AND ("cost_nano_usd" = 0 OR "state" = 'succeeded') AND NOT ("is_test" AND "cost_nano_usd" > 0));
ALTER TABLE "video_task" ADD CONSTRAINT "video_task_runs_somewhere"
  CHECK ("state" NOT IN ('queued', 'running', 'succeeded') OR ("channel_id" IS NOT NULL AND "upstream_task_id" IS NOT NULL));
ALTER TABLE "video_task" ADD CONSTRAINT "video_task_cancellation_is_known"
  CHECK (("cancel_requested_at" IS NULL) = ("cancel_outcome" IS NULL)
    AND "cancel_outcome" IN ('pending', 'cancelled', 'refused'));

-- A row is changed at every poll: leave it room in its page.
ALTER TABLE "video_task" SET (fillfactor = 70);

CREATE FUNCTION is_final_task(p_state text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_state IN ('succeeded', 'failed', 'cancelled', 'expired')
$$;

-- What the sweeps and the reconciler look at: the open ones, however many have ended. The expressions keep these indexes
-- out of reach of schema.prisma, which cannot say WHERE.
CREATE INDEX "video_task_open_by_poll" ON "video_task" (coalesce("next_poll_at", "lease_until")) WHERE NOT is_final_task("state");
CREATE INDEX "video_task_open_by_account" ON "video_task" ("account_id", ("version" + 0)) WHERE NOT is_final_task("state");

-- One task of an account is asked for by either of its names; what has ended is never changed again.
CREATE FUNCTION refuse_task_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'video_task is kept: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  -- The ledger may still note with which entry it took a hold over that it has returned at once.
  IF is_final_task(OLD.state) AND (to_jsonb(NEW) - 'hold_entry_id') <> (to_jsonb(OLD) - 'hold_entry_id') THEN
    RAISE EXCEPTION 'video task % has ended: % refused', OLD.id, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "ended_is_final" BEFORE UPDATE OR DELETE ON "video_task"
  FOR EACH ROW EXECUTE FUNCTION refuse_task_change();

ALTER TABLE "ledger_account" DROP CONSTRAINT "ledger_account_kind_is_known";
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_kind_is_known"
  CHECK (("account_id" IS NOT NULL) = ("kind" IN ('customer', 'escrow', 'task_holds'))
    AND "kind" IN ('customer', 'escrow', 'task_holds', 'revenue', 'top_ups', 'adjustments'));

CREATE OR REPLACE FUNCTION open_ledger_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_account (kind, account_id)
    VALUES ('customer', NEW.id), ('escrow', NEW.id), ('task_holds', NEW.id);
  RETURN NULL;
END $$;

INSERT INTO "ledger_account" ("kind", "account_id") SELECT 'task_holds', "id" FROM "account";

-- Writes a task's row before anything is done for it. The row of another request if that has the same idempotency key;
-- none if the request is settled already, so that it may not begin.
CREATE FUNCTION open_video_task(p_task jsonb, p_lease_ms int) RETURNS SETOF video_task LANGUAGE plpgsql AS $$
DECLARE
  v_request_id text := p_task->>'requestId';
BEGIN
  IF EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = v_request_id) THEN
    RETURN;
  END IF;
  RETURN QUERY
    INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, state,
      duration_seconds, resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd, prompt, webhook_url,
      idempotency_key, idempotency_fingerprint, created_at, expires_at, lease_until)
    SELECT "taskId", "taskId", "requestId", "accountId", "keyId", "isTest", model, vendor, 'submitting',
      "durationSeconds", resolution, "aspectRatio", unit, "priceVersion", "unitPrices", "holdNanoUsd", prompt,
      "webhookUrl", "idempotencyKey", "idempotencyFingerprint", to_timestamp("createdAtMs" / 1000.0),
      to_timestamp("expiresAtMs" / 1000.0), now() + p_lease_ms * interval '1 millisecond'
    FROM jsonb_to_record(p_task) AS task (
      "taskId" text, "requestId" text, "accountId" text, "keyId" text, "isTest" boolean, model text, vendor text,
      "durationSeconds" int, resolution text, "aspectRatio" text, unit text, "priceVersion" text, "unitPrices" jsonb,
      "holdNanoUsd" bigint, prompt text, "webhookUrl" text, "idempotencyKey" text, "idempotencyFingerprint" text,
      "createdAtMs" numeric, "expiresAtMs" numeric)
    ON CONFLICT DO NOTHING
    RETURNING *;
  IF NOT FOUND THEN
    RETURN QUERY SELECT * FROM video_task
      WHERE request_id = v_request_id OR (account_id = p_task->>'accountId'
        AND is_test = (p_task->>'isTest')::boolean AND idempotency_key = p_task->>'idempotencyKey')
      LIMIT 1;
  END IF;
END $$;

-- The upstream has taken the task: only after this commit may anybody be told so.
CREATE FUNCTION accept_video_task(
  p_id text, p_version int, p_upstream_task_id text, p_public_id text, p_attempts jsonb, p_next_poll_ms int, p_record jsonb
) RETURNS SETOF video_task LANGUAGE plpgsql AS $$
DECLARE
  v_task video_task%ROWTYPE;
BEGIN
  UPDATE video_task SET state = 'queued', version = version + 1, upstream_task_id = p_upstream_task_id,
      public_id = p_public_id, attempts = p_attempts, submitted_at = now(), prompt = NULL, lease_until = NULL,
      lease_owner = NULL, doubts = 0, doubted_at = NULL, poll_failures = 0, poll_number = poll_number + 1,
      next_poll_at = now() + p_next_poll_ms * interval '1 millisecond'
    WHERE id = p_id AND version = p_version AND state IN ('submitting', 'submit_unknown')
    RETURNING * INTO v_task;
  IF FOUND THEN
    PERFORM emit_event(v_task.account_id, 'video.task.queued', v_task.id, p_record, v_task.webhook_url, v_task.is_test);
    RETURN NEXT v_task;
  END IF;
END $$;

-- What a poll has found, short of an end, and when the next one is due. A task that runs does not become queued again,
-- whatever its upstream says.
CREATE FUNCTION note_video_poll(p_id text, p_version int, p_note jsonb, p_record jsonb) RETURNS SETOF video_task
LANGUAGE plpgsql AS $$
DECLARE
  v_task video_task%ROWTYPE;
  v_was_running boolean;
BEGIN
  SELECT state = 'running' INTO v_was_running FROM video_task WHERE id = p_id AND version = p_version FOR NO KEY UPDATE;
  UPDATE video_task SET version = version + 1,
      state = CASE WHEN state = 'queued' AND p_note->>'state' = 'running' THEN 'running' ELSE state END,
      started_at = coalesce(started_at, to_timestamp((p_note->>'startedAtMs')::numeric / 1000.0)),
      progress = greatest(progress, (p_note->>'progress')::int),
      upstream = coalesce(nullif(p_note->'upstream', 'null'), upstream),
      poll_failures = (p_note->>'failures')::int,
      doubts = (p_note->>'doubts')::int,
      doubted_at = CASE WHEN (p_note->>'doubts')::int = 0 THEN NULL ELSE coalesce(doubted_at, now()) END,
      poll_number = poll_number + 1, lease_until = NULL, lease_owner = NULL,
      next_poll_at = now() + (p_note->>'nextPollMs')::int * interval '1 millisecond'
    WHERE id = p_id AND version = p_version AND NOT is_final_task(state)
    RETURNING * INTO v_task;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF v_task.state = 'running' AND NOT v_was_running THEN
    PERFORM emit_event(v_task.account_id, 'video.task.running', v_task.id, p_record, v_task.webhook_url, v_task.is_test);
  END IF;
  RETURN NEXT v_task;
END $$;

-- The one end of a task: its state, its receipt, its money and its event, all or nothing, for whoever comes first.
CREATE FUNCTION finish_video_task(p_id text, p_version int, p_end jsonb, p_record jsonb) RETURNS SETOF video_task
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

  INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      price_version, unit_prices, units, is_estimated, error_code, attempts, schema_version, admitted_at, started_at,
      first_byte_at, settled_at, stream_entry_id, epoch)
    VALUES (v_task.request_id, v_task.account_id, v_task.key_id, 'videos.generations', v_task.model, p_end->>'outcome',
      v_task.hold_nano_usd, v_cost, v_task.price_version, v_task.unit_prices, p_end->'units', false,
      p_end->'error'->>'code', p_end->'attempts', 1, v_task.created_at, v_task.asked_at, v_task.submitted_at,
      to_timestamp((p_end->>'finishedAtMs')::numeric / 1000.0), v_task.id, coalesce(active_epoch(), 0))
    ON CONFLICT (request_id) DO NOTHING;
  -- A receipt that is there already says that this request cost nothing, and a receipt is kept.
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
      -- What was never taken may be asked for again under the same key.
      idempotency_key = CASE WHEN (p_end->>'freesIdempotencyKey')::boolean THEN NULL ELSE idempotency_key END,
      prompt = NULL, next_poll_at = NULL, lease_until = NULL, lease_owner = NULL
    WHERE id = p_id RETURNING * INTO v_task;

  v_released := CASE WHEN v_task.hold_entry_id IS NULL THEN 0 ELSE v_task.hold_nano_usd END;
  IF v_released <> v_cost THEN
    -- The key has spent the hold since it was booked.
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
        (ledger_account_of('revenue', NULL), v_cost)
      ) AS side (ledger_account_id, amount)
      WHERE side.amount <> 0;
  END IF;
  PERFORM emit_event(v_task.account_id, 'video.task.' || v_task.state, v_task.id, p_record, v_task.webhook_url,
    v_task.is_test);
  RETURN NEXT v_task;
END $$;

-- Locks the tasks of a batch's holds. An event without its task, or of another amount, is refused: a person looks at it.
CREATE FUNCTION lock_held_tasks(p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_odd text;
BEGIN
  PERFORM 1 FROM video_task
    WHERE request_id IN (SELECT event."requestId"
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text) WHERE event.outcome = 'held')
    ORDER BY id FOR NO KEY UPDATE;
  SELECT event."requestId" INTO v_odd
    FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "costNanoUsd" bigint)
    LEFT JOIN video_task ON request_id = event."requestId"
    WHERE event.outcome = 'held' AND hold_nano_usd IS DISTINCT FROM event."costNanoUsd" LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'no task holds what the event of request % says', v_odd USING ERRCODE = 'foreign_key_violation';
  END IF;
END $$;

-- Takes over the holds of open tasks whose events are lost with a Redis: what it held has gone back to the customers, so it
-- is taken from there. Should such an event turn up all the same, it is told from the one noted here and goes back in Redis.
CREATE FUNCTION adopt_lost_task_holds(p_older_than_ms int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_lost text[];
BEGIN
  SELECT array_agg(id) INTO v_lost FROM (
    SELECT id FROM video_task
      WHERE NOT is_final_task(state) AND hold_entry_id IS NULL AND hold_nano_usd > 0
        AND asked_at < now() - p_older_than_ms * interval '1 millisecond'
      ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED) AS lost;
  IF v_lost IS NULL THEN
    RETURN 0;
  END IF;
  WITH adopted AS (
    UPDATE video_task SET hold_entry_id = 'lost' WHERE id = ANY(v_lost)
      RETURNING request_id, account_id, key_id, hold_nano_usd
  ), spent AS (
    SELECT coalesce(spending_key_id, api_key.id) AS id, sum(hold_nano_usd)::bigint AS amount
      FROM adopted JOIN api_key ON api_key.id = key_id GROUP BY 1
  ), locked AS (
    SELECT id FROM api_key WHERE id IN (SELECT id FROM spent) ORDER BY id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE api_key SET spent_nano_usd = spent_nano_usd + spent.amount, spending_version = spending_version + 1
      FROM locked JOIN spent USING (id) WHERE api_key.id = locked.id
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id, reason)
      SELECT 'task-hold:' || request_id, 'task_hold', account_id, 'The event of the hold was lost with a Redis'
      FROM adopted RETURNING id, reference
  )
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
    SELECT transactions.id, side.ledger_account_id, side.amount
    FROM adopted JOIN transactions ON transactions.reference = 'task-hold:' || adopted.request_id
    CROSS JOIN LATERAL (VALUES
      (ledger_account_of('customer', adopted.account_id), -adopted.hold_nano_usd),
      (ledger_account_of('task_holds', adopted.account_id), adopted.hold_nano_usd)
    ) AS side (ledger_account_id, amount);
  RETURN array_length(v_lost, 1);
END $$;

-- As before, and: the holds of tasks are taken over from the escrow, and count as spent; of a task that has ended meanwhile
-- it goes straight back. A request that has become a task gets its receipt from the task's end, whatever else is said of it.
CREATE OR REPLACE FUNCTION record_settlements(p_events jsonb, p_epoch bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_source text;
  v_new_requests bigint;
  v_has_holds boolean := p_events @? '$[*] ? (@.outcome == "held")';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  SELECT CASE WHEN retired_at IS NULL THEN 'escrow' ELSE 'customer' END INTO v_source
    FROM redis_epoch WHERE redis_epoch.epoch = p_epoch AND activated_at IS NOT NULL;
  IF v_source IS NULL THEN
    RETURN jsonb_build_object('outcome', 'wait');
  END IF;
  IF v_has_holds THEN
    PERFORM lock_held_tasks(p_events);
  END IF;

  WITH inserted AS (
    INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      price_version, unit_prices, units, is_estimated, error_code, attempts, schema_version, admitted_at, started_at,
      first_byte_at, settled_at, stream_entry_id, epoch)
    SELECT "requestId", "accountId", "keyId", endpoint, model, outcome, "holdNanoUsd", "costNanoUsd", "priceVersion",
      "unitPrices", units, "isEstimated", "errorCode", attempts, "schemaVersion",
      to_timestamp("admittedAtMs" / 1000.0), to_timestamp("startedAtMs" / 1000.0),
      to_timestamp("firstByteAtMs" / 1000.0), to_timestamp("settledAtMs" / 1000.0), "streamEntryId", p_epoch
    FROM jsonb_to_recordset(p_events) AS event (
      "requestId" text, "accountId" text, "keyId" text, endpoint text, model text, outcome text, "holdNanoUsd" bigint,
      "costNanoUsd" bigint, "priceVersion" text, "unitPrices" jsonb, units jsonb, "isEstimated" boolean,
      "errorCode" text, attempts jsonb, "schemaVersion" int, "admittedAtMs" numeric, "startedAtMs" numeric,
      "firstByteAtMs" numeric, "settledAtMs" numeric, "streamEntryId" text)
    WHERE event.outcome <> 'held' AND NOT (event.endpoint = 'videos.generations'
      AND EXISTS (SELECT 1 FROM video_task WHERE video_task.request_id = event."requestId"))
    ORDER BY "requestId", "streamEntryId"
    ON CONFLICT (request_id) DO NOTHING
    RETURNING request_id, account_id, key_id, cost_nano_usd, settled_at
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
      'revenue' AS target
      FROM inserted WHERE cost_nano_usd > 0
    UNION ALL
    SELECT 'task-hold:' || request_id, 'task_hold', account_id, amount, target
      FROM held WHERE amount > 0 AND target <> v_source
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT reference, kind, account_id FROM moved RETURNING id, reference
  ), entries AS (
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT transactions.id, source.id, -moved.amount
        FROM moved JOIN transactions USING (reference)
        LEFT JOIN ledger_account AS source ON source.account_id = moved.account_id AND source.kind = v_source
      UNION ALL
      SELECT transactions.id, revenue.id, moved.amount
        FROM moved JOIN transactions USING (reference)
        CROSS JOIN (SELECT ledger_account_of('revenue', NULL) AS id) AS revenue
        WHERE moved.target = 'revenue'
      UNION ALL
      SELECT transactions.id, ledger_account_of(moved.target, moved.account_id), moved.amount
        FROM moved JOIN transactions USING (reference) WHERE moved.target <> 'revenue'
  ), charges AS (
    SELECT key_id, cost_nano_usd AS amount, settled_at AS used_at FROM inserted
    UNION ALL
    SELECT key_id, CASE WHEN target = 'task_holds' THEN amount ELSE 0 END, asked_at FROM held
  ), spent AS (
    SELECT coalesce(spending_key_id, api_key.id) AS id, sum(amount)::bigint AS amount
      FROM charges JOIN api_key ON api_key.id = key_id GROUP BY 1
  ), used AS (
    SELECT key_id AS id, max(used_at) AS last_used_at FROM charges GROUP BY key_id
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
  SELECT (SELECT count(*) FROM inserted) + (SELECT count(*) FROM held) INTO v_new_requests;

  RETURN jsonb_build_object(
    'outcome', 'recorded',
    'newRequests', v_new_requests,
    -- Of the release before, whose caps were kept by telling edges: caps are kept by admission.
    'exhaustedKeys', '[]'::jsonb,
    -- Also of requests that were in the books before: whoever recorded them may not have told Redis.
    'spendings', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('spendingKeyId', id, 'spentNanoUsd', spent_nano_usd::text,
        'version', spending_version::text)), '[]')
      FROM api_key WHERE id IN (
        SELECT coalesce(spending_key_id, id) FROM api_key
          WHERE id IN (SELECT "keyId" FROM jsonb_to_recordset(p_events) AS event ("keyId" text)))),
    -- Another entry of the stream than the recorded one: Redis charged the same request twice.
    'doubleCharges', (
      SELECT coalesce(jsonb_agg(event."streamEntryId"), '[]')
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "streamEntryId" text)
      LEFT JOIN settlement ON settlement.request_id = event."requestId" AND event.outcome <> 'held'
      LEFT JOIN video_task ON v_has_holds AND video_task.request_id = event."requestId" AND event.outcome = 'held'
      WHERE coalesce(settlement.stream_entry_id, video_task.hold_entry_id) <> event."streamEntryId"));
END $$;
