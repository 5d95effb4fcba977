-- Cancels up to 1,000 pending deliveries of an endpoint that is deleted or disabled. Sets has_leftovers if more may wait:
-- cancel_orphaned_deliveries cancels those, because half a million take longer than a caller waits.
-- The caller holds the lock of the endpoint's row. p_why: 'endpoint_deleted' or 'endpoint_disabled'.
-- Called by end_webhook_endpoint, enable_webhook_endpoint, report_webhook_attempt and cancel_orphaned_deliveries.
CREATE OR REPLACE FUNCTION cancel_webhook_deliveries(p_endpoint_id text, p_why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_batch_size CONSTANT int := 1000;
  v_cancelled int;
BEGIN
  UPDATE webhook_delivery SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(),
      last_error = p_why
    WHERE id IN (SELECT delivery.id FROM webhook_delivery AS delivery
      WHERE delivery.account_id = (SELECT account_id FROM webhook_endpoint WHERE webhook_endpoint.id = p_endpoint_id)
        AND delivery.state = 'pending' AND delivery.endpoint_id = p_endpoint_id LIMIT v_batch_size)
      AND state = 'pending';
  GET DIAGNOSTICS v_cancelled = ROW_COUNT;
  UPDATE webhook_endpoint SET has_leftovers = v_cancelled = v_batch_size
    WHERE id = p_endpoint_id AND has_leftovers <> (v_cancelled = v_batch_size);
END $$;
