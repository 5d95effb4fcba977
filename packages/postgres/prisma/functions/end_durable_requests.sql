-- Ends requests of one account, each for the owner of its claim, with its settlement and its event: all commit, or none.
-- Returns the places of those whose claim holds. An end that is repeated with the same settlement changes nothing.
-- p_ends: objects with place, id, owner, status, finishedAt, settlement, response, error and event (null: none).
-- p_bodies: short responses, hexadecimal; null: an object of the store, or none.
-- A request that is not settled soon is due again: its worker may be gone. Its plan is kept, as that of add_durable_requests().
-- Called by endRequests() and endWithResponse().
CREATE OR REPLACE FUNCTION end_durable_requests(p_ends jsonb[], p_bodies text[], p_settle_within_seconds float8)
RETURNS integer[] LANGUAGE sql SET enable_seqscan = off AS $$
  WITH ending AS (
    SELECT given.*, decode(ended.body, 'hex') AS body
    FROM unnest(p_ends, p_bodies) AS ended (json, body), jsonb_to_record(ended.json) AS given (
      place integer, id text, owner text, status text, "finishedAt" timestamptz, settlement jsonb, response jsonb,
      error jsonb, event jsonb)
    JOIN durable_request AS request ON request.id = given.id AND request.owner = given.owner
    WHERE request.status = 'in_progress' AND request.settlement IS NULL OR request.settlement = given.settlement
    ORDER BY request.account_id, request.id FOR UPDATE OF request
  ), finished AS (
    UPDATE durable_request AS request SET status = ending.status, version = version + 1,
      settlement = ending.settlement, response = ending.response, response_body = ending.body, error = ending.error,
      finished_at = ending."finishedAt", bytes = request.bytes + coalesce((ending.response ->> 'bytes')::bigint, 0),
      due_at = clock_timestamp() + make_interval(secs => p_settle_within_seconds),
      expires_at = kept_until(request.account_id, request.expires_at)
    FROM ending WHERE request.id = ending.id AND request.status = 'in_progress'
    RETURNING request.account_id, request.is_test, request.webhook_url, ending.event, ending.place
  ), emitted AS (
    SELECT emit_events(min(account_id), array_agg(event ORDER BY place), array_agg(webhook_url ORDER BY place),
      array_agg(is_test ORDER BY place)) AS ids
    FROM finished WHERE event IS NOT NULL
  )
  SELECT (SELECT array_agg(place) FROM ending) FROM emitted
  -- All of it must run.
  WHERE ids IS NOT NULL
$$;
