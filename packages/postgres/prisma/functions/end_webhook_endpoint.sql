-- Deletes or disables an endpoint and cancels its pending deliveries. Returns false if there is no such endpoint.
-- Called by endWebhookEndpoint().
CREATE OR REPLACE FUNCTION end_webhook_endpoint(p_account_id text, p_endpoint_id text, p_is_deleted boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_endpoint SET
      deleted_at = CASE WHEN p_is_deleted THEN now() END,
      disabled_at = CASE WHEN p_is_deleted THEN disabled_at ELSE coalesce(disabled_at, now()) END,
      disabled_reason = CASE WHEN p_is_deleted THEN disabled_reason ELSE coalesce(disabled_reason, 'by_you') END
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM cancel_webhook_deliveries(p_endpoint_id,
    CASE WHEN p_is_deleted THEN 'endpoint_deleted' ELSE 'endpoint_disabled' END);
  RETURN true;
END $$;
