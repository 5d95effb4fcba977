-- Sends once more what came of a page of an account's events, the oldest first: the next `p_events` of them after (`p_after_at`,
-- `p_after_id`) and not after `p_to`. Only to `p_endpoint_id`; null: to every endpoint that is enabled, and where tasks said.
-- `p_states`: deliveries that are `failed`, `cancelled` or `delivered` (until `p_to`: so that who asks again sends nothing twice) begin
-- anew; `pending` ones whose attempts have failed are due sooner than they would be; of `missed` events, which an endpoint wanted that
-- was disabled when they happened, deliveries are made.
--
-- Not all at once: so many a second as `p_per_second` says, in which those count that were pending already, so that what happens
-- now is told between them, and who asks again makes it no faster. `place`, where the next page goes on, is how many that were.
-- No row: there are no more events.
--
-- Locks: the account's replays, its endpoints, their deliveries.
CREATE OR REPLACE FUNCTION replay_webhook_deliveries(
  p_account_id text, p_endpoint_id text, p_states text[], p_after_at timestamptz, p_after_id bigint, p_to timestamptz,
  p_events int, p_place bigint, p_per_second int
) RETURNS TABLE (replayed int, brought_forward int, place bigint, last_at timestamptz, last_id bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
BEGIN
  PERFORM pg_advisory_xact_lock(7236104, hashtext(p_account_id));
  PERFORM 1 FROM webhook_endpoint WHERE account_id = p_account_id ORDER BY id FOR NO KEY UPDATE;
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT event.id, event.type, event.subject, event.is_test, event.created_at FROM account_event AS event
      WHERE event.account_id = p_account_id AND (event.created_at, event.id) > (p_after_at, p_after_id)
        AND event.created_at <= p_to
      ORDER BY event.created_at, event.id LIMIT p_events
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
        * (p_place + row_number() OVER (ORDER BY found.created_at, found.event_id, found.url) - 1) AS due_at
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
    FROM page ORDER BY page.created_at DESC, page.id DESC LIMIT 1;
END $$;
