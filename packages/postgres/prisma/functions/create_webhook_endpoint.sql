-- Creates a webhook endpoint unless the account has p_limit of them. Locks the account, so that the limit holds.
-- outcome: 'created' with the id, 'too_many', or 'exists' for a second endpoint with the same URL.
-- Called by createWebhookEndpoint().
CREATE OR REPLACE FUNCTION create_webhook_endpoint(
  p_account_id text, p_url text, p_event_types text[], p_description text, p_is_test boolean, p_limit int
) RETURNS TABLE (outcome text, id text) LANGUAGE plpgsql AS $$
DECLARE
  v_id text;
BEGIN
  PERFORM 1 FROM account WHERE account.id = p_account_id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM webhook_endpoint WHERE account_id = p_account_id AND deleted_at IS NULL) >= p_limit THEN
    RETURN QUERY SELECT 'too_many', NULL::text;
    RETURN;
  END IF;
  INSERT INTO webhook_endpoint (id, account_id, url, event_types, description, is_test)
    VALUES (new_public_id('we'), p_account_id, p_url, p_event_types, p_description, p_is_test)
    ON CONFLICT DO NOTHING RETURNING webhook_endpoint.id INTO v_id;
  RETURN QUERY SELECT CASE WHEN v_id IS NULL THEN 'exists' ELSE 'created' END, v_id;
END $$;
