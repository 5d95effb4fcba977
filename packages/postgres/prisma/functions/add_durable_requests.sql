-- Adds requests of one account, each with its place in the limit of what the account keeps. Returns those that have one.
-- Parallel calls may exceed the limit by their own bytes. p_bodies: hexadecimal; null: an object of the store, which is pending no
-- longer: from now on it expires with its row.
-- An edge whose clock is wrong by a minute does not say when its requests were created, nor when they end.
-- A session keeps the plan, and uses an index also while the table is empty.
-- Called by addRequests().
CREATE OR REPLACE FUNCTION add_durable_requests(p_requests jsonb[], p_bodies text[])
RETURNS TABLE (id text, expires_at timestamptz) LANGUAGE sql SET enable_seqscan = off AS $$
  WITH stored AS (
    INSERT INTO durable_request AS request
      (id, account_id, is_test, endpoint, model, vendor, ticket, body, webhook_url, due_at, created_at, bytes, expires_at)
    SELECT ticket ->> 'requestId', account.id, coalesce((ticket ->> 'isTest')::boolean, false), ticket ->> 'endpoint',
      ticket ->> 'model', vendor, ticket, decode(added.body, 'hex'), "webhookUrl",
      clock_timestamp() + "dueInMs" * interval '1 millisecond', created.moment, given.bytes,
      created.moment + (deadline - "createdAt") + coalesce("retentionMs" * interval '1 millisecond', make_interval(hours => result_retention_hours),
        "defaultRetentionMs" * interval '1 millisecond')
    FROM unnest(p_requests, p_bodies) AS added (json, body), jsonb_to_record(added.json) AS given (
      ticket jsonb, vendor text, "webhookUrl" text, "dueInMs" float8, "createdAt" timestamptz, deadline timestamptz,
      "retentionMs" float8, "defaultRetentionMs" float8, bytes bigint, "limitBytes" bigint)
    CROSS JOIN LATERAL (SELECT CASE WHEN abs(extract(epoch FROM "createdAt" - clock_timestamp())) < 60
      THEN "createdAt" ELSE clock_timestamp() END AS moment) AS created
    JOIN account ON account.id = ticket ->> 'accountId'
    LEFT JOIN store_use ON store_use.account_id = account.id
    WHERE coalesce(store_use.bytes + request_bytes + response_bytes, 0) + given.bytes <= "limitBytes"
    RETURNING request.id, request.expires_at
  ), named AS (
    DELETE FROM pending_object USING stored WHERE key = 'requests/' || stored.id || '/body'
  ), named_by_former_release AS (
    DELETE FROM pending_body USING stored WHERE pending_body.id = stored.id
  )
  SELECT stored.id, stored.expires_at FROM stored
$$;
