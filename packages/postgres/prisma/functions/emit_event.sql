-- Stores an event and one pending delivery for each URL that subscribes to its type. Returns the event's id.
-- p_webhook_url: a further address for types that are sent by default; null: none. A URL gets an event once.
-- Call it as the last step of the statement that makes the change, so that both commit or neither.
-- Called by emitEvent(), by the statements that change tasks, and by other functions.
CREATE OR REPLACE FUNCTION emit_event(
  p_account_id text, p_type text, p_subject text, p_data jsonb, p_webhook_url text, p_is_test boolean
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_event_id bigint := append_event(p_account_id, p_type, p_subject, p_data, p_is_test);
BEGIN
  INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
    SELECT new_public_id('whd'), v_event_id, p_account_id, address.endpoint_id, address.url, webhook_host(address.url),
      clock_timestamp(), clock_timestamp()
    FROM (
      SELECT DISTINCT ON (url) endpoint_id, url FROM (
        SELECT id AS endpoint_id, url FROM webhook_endpoint
          WHERE account_id = p_account_id AND is_test = p_is_test AND disabled_at IS NULL AND deleted_at IS NULL
            AND (p_type = ANY (event_types) OR '*' = ANY (event_types)
              OR cardinality(event_types) = 0 AND is_sent_by_default(p_type))
        UNION ALL
        SELECT NULL, p_webhook_url WHERE p_webhook_url IS NOT NULL AND is_sent_by_default(p_type)
      ) AS addresses
      ORDER BY url, endpoint_id NULLS LAST
    ) AS address;
  RETURN v_event_id;
END $$;
