-- What waits for an endpoint that is gone or disabled is not sent any more; it can be replayed later.
-- ~~~
-- The caller has locked the endpoint.
CREATE OR REPLACE FUNCTION cancel_webhook_deliveries(p_endpoint_id text, p_why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_at_once CONSTANT int := 1000;
  v_cancelled int;
BEGIN
  UPDATE webhook_delivery SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(),
      last_error = p_why
    WHERE id IN (SELECT delivery.id FROM webhook_delivery AS delivery
      WHERE delivery.account_id = (SELECT account_id FROM webhook_endpoint WHERE webhook_endpoint.id = p_endpoint_id)
        AND delivery.state = 'pending' AND delivery.endpoint_id = p_endpoint_id LIMIT v_at_once)
      AND state = 'pending';
  GET DIAGNOSTICS v_cancelled = ROW_COUNT;
  UPDATE webhook_endpoint SET has_leftovers = v_cancelled = v_at_once
    WHERE id = p_endpoint_id AND has_leftovers <> (v_cancelled = v_at_once);
END $$;
