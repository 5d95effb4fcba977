-- Cancels up to 1,000 deliveries of one endpoint that is deleted or disabled. Returns false if no endpoint has any.
-- Called by cancelOrphanedDeliveries().
CREATE OR REPLACE FUNCTION cancel_orphaned_deliveries() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE has_leftovers AND (deleted_at IS NOT NULL OR disabled_at IS NOT NULL) LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM cancel_webhook_deliveries(v_endpoint.id,
    CASE WHEN v_endpoint.deleted_at IS NULL THEN 'endpoint_disabled' ELSE 'endpoint_deleted' END);
  RETURN true;
END $$;
