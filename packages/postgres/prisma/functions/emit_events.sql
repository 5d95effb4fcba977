-- Stores events of one account, in order, and one pending delivery for each URL that subscribes to the type of one.
-- Returns their ids. p_events: objects with type, subject and data; subjects differ. p_webhook_urls, p_are_tests: of each,
-- as emit_event() says. Null or no events: none. An advisory lock makes the events of one account commit in the order of
-- their ids. So a reader that continues after an id misses none.
-- Call it as the last step of the statement that makes the changes, so that all commit or none.
-- Called by emit_event() and by end_durable_requests().
CREATE OR REPLACE FUNCTION emit_events(p_account_id text, p_events jsonb[], p_webhook_urls text[], p_are_tests boolean[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  v_ids bigint[];
BEGIN
  IF coalesce(cardinality(p_events), 0) = 0 THEN
    RETURN '{}';
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'an event has an unknown account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  PERFORM pg_advisory_xact_lock(7236102, hashtext(p_account_id));
  WITH given AS (
    SELECT event ->> 'type' AS type, event ->> 'subject' AS subject, event -> 'data' AS data, webhook_url, is_test, place
    FROM unnest(p_events, p_webhook_urls, p_are_tests) WITH ORDINALITY AS one (event, webhook_url, is_test, place)
  ), appended AS (
    INSERT INTO account_event (public_id, account_id, type, subject, data, is_test, created_at)
      SELECT new_public_id('evt'), p_account_id, type, subject, data, is_test, clock_timestamp() FROM given ORDER BY place
    RETURNING id, type, subject, is_test
  ), address AS (
    SELECT appended.id AS event_id, endpoint.id AS endpoint_id, endpoint.url
      FROM appended JOIN webhook_endpoint AS endpoint ON endpoint.account_id = p_account_id
        AND endpoint.is_test = appended.is_test AND endpoint.disabled_at IS NULL AND endpoint.deleted_at IS NULL
        AND (appended.type = ANY (event_types) OR '*' = ANY (event_types)
          OR cardinality(event_types) = 0 AND is_sent_by_default(appended.type))
    UNION ALL
    SELECT appended.id, NULL, given.webhook_url FROM appended JOIN given USING (subject)
      WHERE given.webhook_url IS NOT NULL AND is_sent_by_default(appended.type)
  ), delivery AS (
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      SELECT new_public_id('whd'), event_id, p_account_id, endpoint_id, url, webhook_host(url), clock_timestamp(),
        clock_timestamp()
      FROM (
        -- A URL gets an event once.
        SELECT DISTINCT ON (event_id, url) event_id, endpoint_id, url FROM address
        ORDER BY event_id, url, endpoint_id NULLS LAST
      ) AS once
  )
  SELECT array_agg(id ORDER BY id) INTO v_ids FROM appended;
  RETURN v_ids;
END $$;
