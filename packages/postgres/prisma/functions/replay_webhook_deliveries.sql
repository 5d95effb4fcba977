-- Sends one page of an account's events again, the oldest first.
-- The page: up to p_events events after p_after_id, or from p_after_at on if it is 0, at most as new as p_to.
-- p_endpoint_id: this endpoint only; null: all enabled endpoints, and the URLs of tasks.
-- p_states: `failed`, `cancelled` and `delivered` deliveries start again (`delivered` only if finished before p_to, so a
-- repeated call sends nothing twice); `pending` ones that have failed are due sooner; for `missed` events, which an
-- endpoint did not get while it was disabled, deliveries are created.
-- Due times are spread at p_per_second a second, so that new events are delivered in between. p_place: the place of the
-- page's first delivery; the result gives the next one. No row: there are no more events.
-- Locks: the account's replays, its endpoints, their deliveries.
-- Called by replayDeliveries().
CREATE OR REPLACE FUNCTION replay_webhook_deliveries(
  p_account_id text, p_endpoint_id text, p_states text[], p_after_at timestamptz, p_after_id bigint, p_to timestamptz,
  p_events int, p_place bigint, p_per_second int
) RETURNS TABLE (replayed int, brought_forward int, place bigint, last_at timestamptz, last_id bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_first bigint := CASE WHEN p_after_id > 0 THEN p_after_id + 1 ELSE first_event_since(p_account_id, p_after_at) END;
  -- The column has milliseconds.
  v_end bigint := first_event_since(p_account_id, p_to + interval '1 millisecond');
BEGIN
  PERFORM pg_advisory_xact_lock(7236104, hashtext(p_account_id));
  PERFORM 1 FROM webhook_endpoint WHERE account_id = p_account_id ORDER BY id FOR NO KEY UPDATE;
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT event.id, event.type, event.subject, event.is_test, event.created_at FROM account_event AS event
      WHERE event.account_id = p_account_id AND event.id >= v_first AND event.id < v_end
      ORDER BY event.id LIMIT p_events
  ), open AS MATERIALIZED (
    SELECT endpoint.* FROM webhook_endpoint AS endpoint
      WHERE endpoint.account_id = p_account_id AND (p_endpoint_id IS NULL OR endpoint.id = p_endpoint_id)
        AND endpoint.disabled_at IS NULL AND endpoint.deleted_at IS NULL
  ), found AS (
    SELECT delivery.id, delivery.state, page.id AS event_id, page.created_at, delivery.endpoint_id, delivery.url
      FROM page JOIN webhook_delivery AS delivery ON delivery.event_id = page.id
      WHERE (delivery.state = 'pending'
          OR delivery.state = ANY (p_states) AND (delivery.state <> 'delivered' OR delivery.finished_at <= p_to))
        AND (delivery.endpoint_id IS NULL AND p_endpoint_id IS NULL
          OR delivery.endpoint_id IN (SELECT open.id FROM open))
    UNION ALL
    SELECT new_public_id('whd'), 'missed', page.id, page.created_at, open.id, open.url
      FROM page JOIN open ON open.is_test = page.is_test AND open.created_at <= page.created_at
        AND (page.type = ANY (open.event_types) OR '*' = ANY (open.event_types)
          OR cardinality(open.event_types) = 0 AND is_sent_by_default(page.type))
      WHERE 'missed' = ANY (p_states) AND page.type <> 'webhook.test'
        AND (page.type <> 'webhook.endpoint.disabled' OR page.subject <> open.id)
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_delivery.event_id = page.id AND url = open.url)
  ), due AS MATERIALIZED (
    SELECT found.*, v_now + interval '1 second' / p_per_second
        * (p_place + row_number() OVER (ORDER BY found.event_id, found.url) - 1) AS due_at
      FROM found
  ), begun AS (
    UPDATE webhook_delivery AS delivery SET state = 'pending', step = 0, next_attempt_at = due.due_at, finished_at = NULL,
        last_status = NULL, last_error = NULL
      FROM due WHERE delivery.id = due.id AND due.state <> 'pending' AND delivery.state = due.state
      RETURNING delivery.id
  ), hastened AS (
    UPDATE webhook_delivery AS delivery SET next_attempt_at = due.due_at
      FROM due WHERE delivery.id = due.id AND due.state = 'pending' AND 'pending' = ANY (p_states)
        AND delivery.state = 'pending' AND delivery.lease IS NULL AND delivery.attempts > 0
        AND delivery.next_attempt_at > due.due_at
      RETURNING delivery.id
  ), made AS (
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      SELECT due.id, due.event_id, p_account_id, due.endpoint_id, due.url, webhook_host(due.url), due.due_at, v_now
        FROM due WHERE due.state = 'missed'
      RETURNING webhook_delivery.id
  )
  SELECT (SELECT count(*) FROM begun)::int + (SELECT count(*) FROM made)::int, (SELECT count(*) FROM hastened)::int,
      p_place + (SELECT count(*) FROM due), page.created_at, page.id
    FROM page ORDER BY page.id DESC LIMIT 1;
END $$;
