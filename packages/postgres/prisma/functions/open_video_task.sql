-- Writes a task's row before anything is done for it. The row of another request if that has the same idempotency key;
-- none if the request is settled already, so that it may not begin.
-- ~~~
-- As before, and with the span of the submission. The release before names none.
CREATE OR REPLACE FUNCTION open_video_task(p_task jsonb, p_lease_ms int) RETURNS SETOF video_task LANGUAGE plpgsql AS $$
DECLARE
  v_request_id text := p_task->>'requestId';
BEGIN
  IF EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = v_request_id) THEN
    RETURN;
  END IF;
  RETURN QUERY
    INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, state,
      duration_seconds, resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd, prompt, webhook_url,
      idempotency_key, idempotency_fingerprint, created_at, expires_at, lease_until, traceparent)
    SELECT "taskId", "taskId", "requestId", "accountId", "keyId", "isTest", model, vendor, 'submitting',
      "durationSeconds", resolution, "aspectRatio", unit, "priceVersion", "unitPrices", "holdNanoUsd", prompt,
      "webhookUrl", "idempotencyKey", "idempotencyFingerprint", to_timestamp("createdAtMs" / 1000.0),
      to_timestamp("expiresAtMs" / 1000.0), now() + p_lease_ms * interval '1 millisecond', traceparent
    FROM jsonb_to_record(p_task) AS task (
      "taskId" text, "requestId" text, "accountId" text, "keyId" text, "isTest" boolean, model text, vendor text,
      "durationSeconds" int, resolution text, "aspectRatio" text, unit text, "priceVersion" text, "unitPrices" jsonb,
      "holdNanoUsd" bigint, prompt text, "webhookUrl" text, "idempotencyKey" text, "idempotencyFingerprint" text,
      "createdAtMs" numeric, "expiresAtMs" numeric, traceparent text)
    ON CONFLICT DO NOTHING
    RETURNING *;
  IF NOT FOUND THEN
    RETURN QUERY SELECT * FROM video_task
      WHERE request_id = v_request_id OR (account_id = p_task->>'accountId'
        AND is_test = (p_task->>'isTest')::boolean AND idempotency_key = p_task->>'idempotencyKey')
      LIMIT 1;
  END IF;
END $$;
