-- True if an endpoint without a filter, or the URL of a task, gets events of this type. A test compares it with the
-- list in @gateway/contracts.
-- Called by emit_events and replay_webhook_deliveries.
CREATE OR REPLACE FUNCTION is_sent_by_default(p_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_type NOT IN ('video.task.queued', 'video.task.running')
$$;
