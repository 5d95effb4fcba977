-- Claims queued requests, each for its owner. A request that another claim has, that is cancelled or that has ended is not
-- returned. A repeated claim is the same one: its first reply may have been lost. Rows are locked by account and id, as everywhere. Its plan is kept, as that of add_durable_requests().
-- Called by claimRequests().
CREATE OR REPLACE FUNCTION claim_durable_requests(p_ids text[], p_owners text[], p_lease_seconds float8)
RETURNS SETOF durable_request LANGUAGE sql SET enable_seqscan = off AS $$
  WITH claim AS (
    SELECT request.id, given.owner FROM unnest(p_ids, p_owners) AS given (id, owner)
    JOIN durable_request AS request ON request.id = given.id
    WHERE request.status = 'queued' AND request.cancel_requested_at IS NULL
      OR request.status = 'in_progress' AND request.owner = given.owner
    ORDER BY request.account_id, request.id FOR UPDATE OF request
  )
  UPDATE durable_request AS request SET status = 'in_progress', version = version + (status = 'queued')::int, owner = claim.owner,
    attempts = attempts + (status = 'queued')::int, started_at = coalesce(started_at, clock_timestamp()),
    due_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  FROM claim WHERE request.id = claim.id
  RETURNING request.*
$$;
