-- What waits for an endpoint that is deleted or disabled is cancelled a thousand at a time: 100,000 took 2.5 s in the statement that
-- ends it, and half a million took longer than its caller waits, so that an endpoint with so many could not be disabled at all.
-- `has_leftovers`: there may be more. Nothing of it is sent meanwhile, since a claim cancels what nobody wants; whoever notifies
-- customers cancels the rest, and whoever enables the endpoint again first.
ALTER TABLE "webhook_endpoint" ADD COLUMN "has_leftovers" BOOLEAN NOT NULL DEFAULT false;
-- The expression keeps the index out of reach of schema.prisma, which cannot say WHERE.
CREATE INDEX "webhook_endpoint_leftovers" ON "webhook_endpoint" (("id" || '')) WHERE "has_leftovers";

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

-- Cancels some of what still waits for one endpoint that has ended. False: nothing does.
CREATE FUNCTION cancel_webhook_leftovers() RETURNS boolean LANGUAGE plpgsql AS $$
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

-- Lets an endpoint be sent to again, as if nothing had ever failed there. False: some of what had waited for it does still, ask again.
CREATE FUNCTION enable_webhook_endpoint(p_account_id text, p_endpoint_id text) RETURNS boolean LANGUAGE plpgsql AS $$
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
