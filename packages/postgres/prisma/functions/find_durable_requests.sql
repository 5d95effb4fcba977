-- The requests of these accounts and modes that are still kept, in any order. Its plan is kept, as that of
-- add_durable_requests().
-- Called by findRequests().
CREATE OR REPLACE FUNCTION find_durable_requests(p_ids text[], p_accounts text[], p_modes boolean[])
RETURNS SETOF durable_request LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT request.*
  FROM unnest(p_ids, p_accounts, p_modes) AS given (id, account_id, is_test)
  JOIN durable_request AS request
    ON request.id = given.id AND request.account_id = given.account_id AND request.is_test = given.is_test
  WHERE finished_at IS NULL OR expires_at > clock_timestamp()
$$;
