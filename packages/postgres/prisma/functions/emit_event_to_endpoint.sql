-- Stores an event for one endpoint alone, whatever its filter. No row if the endpoint is missing, deleted or disabled.
-- Called by sendTestEvent().
CREATE OR REPLACE FUNCTION emit_event_to_endpoint(p_account_id text, p_endpoint_id text, p_type text, p_data jsonb)
RETURNS TABLE (event_id text, delivery_id text) LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_event_id bigint;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL AND disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  v_event_id := append_event(p_account_id, p_type, p_endpoint_id, p_data, v_endpoint.is_test);
  RETURN QUERY
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      VALUES (new_public_id('whd'), v_event_id, p_account_id, p_endpoint_id, v_endpoint.url,
        webhook_host(v_endpoint.url), clock_timestamp(), clock_timestamp())
      RETURNING (SELECT public_id FROM account_event WHERE id = v_event_id), webhook_delivery.id;
END $$;
