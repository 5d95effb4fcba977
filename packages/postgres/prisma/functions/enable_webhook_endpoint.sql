-- Enables an endpoint and resets its failures. First cancels up to 1,000 deliveries from before. Returns false if there
-- were any: the caller repeats the call.
-- Called by enableWebhookEndpoint().
CREATE OR REPLACE FUNCTION enable_webhook_endpoint(p_account_id text, p_endpoint_id text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL AND disabled_at IS NOT NULL
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  IF v_endpoint.has_leftovers THEN
    PERFORM cancel_webhook_deliveries(p_endpoint_id, 'endpoint_disabled');
    RETURN false;
  END IF;
  UPDATE webhook_endpoint SET disabled_at = NULL, disabled_reason = NULL, consecutive_failures = 0, failing_since = NULL
    WHERE id = p_endpoint_id;
  RETURN true;
END $$;
