-- Ends a lease and logs its attempt.
-- p_outcome: 'delivered', 'retry' (after p_retry_in_ms), 'failed' (no retry) or 'gone' (the receiver responded with 410).
-- Disables an endpoint that is gone, or has only failed for p_disable_after_ms and p_disable_after_failures times. The
-- other endpoints get an event. Returns the reason if the endpoint is disabled now, else null.
-- A report without the current lease only logs its attempt, unless its outcome is 'delivered'.
-- Called by reportAttempt().
CREATE OR REPLACE FUNCTION report_webhook_attempt(
  p_delivery_id text, p_lease text, p_number int, p_outcome text, p_duration_ms int, p_status int, p_error text,
  p_response_body text, p_retry_in_ms bigint, p_disable_after_ms bigint, p_disable_after_failures int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_is_ours boolean;
  v_reason text;
BEGIN
  SELECT endpoint.* INTO v_endpoint FROM webhook_endpoint AS endpoint
    WHERE endpoint.id = (SELECT endpoint_id FROM webhook_delivery WHERE id = p_delivery_id) FOR NO KEY UPDATE;
  INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, status, error, response_body)
    VALUES (p_delivery_id, p_number, clock_timestamp() - p_duration_ms * interval '1 millisecond', p_duration_ms, p_status,
      p_error, p_response_body)
    ON CONFLICT (delivery_id, number) DO UPDATE SET duration_ms = excluded.duration_ms, status = excluded.status,
      error = excluded.error, response_body = excluded.response_body;
  UPDATE webhook_delivery SET
      state = CASE p_outcome WHEN 'delivered' THEN 'delivered' WHEN 'retry' THEN 'pending' ELSE 'failed' END,
      next_attempt_at = CASE p_outcome WHEN 'retry' THEN now() + p_retry_in_ms * interval '1 millisecond' END,
      finished_at = CASE p_outcome WHEN 'retry' THEN NULL ELSE now() END,
      lease = NULL, last_status = p_status, last_error = p_error
    WHERE id = p_delivery_id AND (lease = p_lease OR p_outcome = 'delivered' AND state = 'pending');
  v_is_ours := FOUND;
  IF v_endpoint.id IS NULL OR v_endpoint.deleted_at IS NOT NULL OR NOT v_is_ours THEN
    RETURN NULL;
  END IF;
  IF p_outcome = 'delivered' THEN
    UPDATE webhook_endpoint SET consecutive_failures = 0, failing_since = NULL, last_success_at = now()
      WHERE id = v_endpoint.id;
    RETURN NULL;
  END IF;
  v_reason := CASE
    WHEN p_outcome = 'gone' THEN 'gone'
    WHEN v_endpoint.consecutive_failures + 1 >= p_disable_after_failures
      AND v_endpoint.failing_since <= now() - p_disable_after_ms * interval '1 millisecond' THEN 'only_failures'
  END;
  UPDATE webhook_endpoint SET consecutive_failures = consecutive_failures + 1,
      failing_since = coalesce(failing_since, now()),
      disabled_at = CASE WHEN v_reason IS NULL THEN disabled_at ELSE coalesce(disabled_at, now()) END,
      disabled_reason = coalesce(disabled_reason, v_reason)
    WHERE id = v_endpoint.id;
  IF v_reason IS NULL OR v_endpoint.disabled_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  PERFORM cancel_webhook_deliveries(v_endpoint.id, 'endpoint_disabled');
  PERFORM emit_event(v_endpoint.account_id, 'webhook.endpoint.disabled', v_endpoint.id,
    jsonb_build_object('id', v_endpoint.id, 'url', v_endpoint.url, 'reason', v_reason), NULL, v_endpoint.is_test);
  RETURN v_reason;
END $$;
