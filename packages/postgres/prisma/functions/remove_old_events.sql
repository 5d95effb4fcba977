-- Removes what is older than `p_keep_ms`, at most `p_limit` events with their deliveries and attempts at once. An event
-- that is still on its way stays.
CREATE OR REPLACE FUNCTION remove_old_events(p_keep_ms bigint, p_limit int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_removed bigint;
BEGIN
  DELETE FROM account_event WHERE id IN (
    SELECT event.id FROM account_event AS event
      WHERE event.created_at < now() - p_keep_ms * interval '1 millisecond'
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE event_id = event.id AND state = 'pending')
      ORDER BY event.created_at LIMIT p_limit);
  GET DIAGNOSTICS v_removed = ROW_COUNT;
  DELETE FROM webhook_secret WHERE expires_at < now();
  DELETE FROM webhook_endpoint WHERE deleted_at < now() - p_keep_ms * interval '1 millisecond'
    AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id);
  RETURN v_removed;
END $$;
