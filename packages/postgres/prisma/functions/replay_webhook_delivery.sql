-- Sends a finished delivery again from the first step of its schedule, with the same event id.
-- Returns 'replayed', 'pending', 'unknown', 'endpoint_deleted' or 'endpoint_disabled'.
-- Called by replayDelivery().
CREATE OR REPLACE FUNCTION replay_webhook_delivery(p_account_id text, p_delivery_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_delivery webhook_delivery%ROWTYPE;
BEGIN
  SELECT * INTO v_delivery FROM webhook_delivery WHERE id = p_delivery_id AND account_id = p_account_id;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  IF v_delivery.endpoint_id IS NOT NULL THEN
    SELECT * INTO v_endpoint FROM webhook_endpoint WHERE id = v_delivery.endpoint_id FOR NO KEY UPDATE;
    IF v_endpoint.deleted_at IS NOT NULL THEN
      RETURN 'endpoint_deleted';
    ELSIF v_endpoint.disabled_at IS NOT NULL THEN
      RETURN 'endpoint_disabled';
    END IF;
  END IF;
  UPDATE webhook_delivery SET state = 'pending', step = 0, next_attempt_at = now(), finished_at = NULL,
      last_status = NULL, last_error = NULL
    WHERE id = p_delivery_id AND state <> 'pending';
  RETURN CASE WHEN FOUND THEN 'replayed' ELSE 'pending' END;
END $$;
