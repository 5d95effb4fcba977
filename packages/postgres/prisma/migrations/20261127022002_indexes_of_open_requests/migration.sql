-- Claims, renewals and decisions change no index, and find room in the page of their row. Open requests are few: their sum is
-- limited by the places of their accounts, so a sweep reads all.
ALTER TABLE durable_request SET (fillfactor = 50);
CREATE INDEX durable_request_open ON durable_request (created_at) WHERE settled_at IS NULL;
CREATE INDEX durable_request_expired ON durable_request (expires_at) WHERE settled_at IS NOT NULL;
DROP INDEX durable_request_due_at_idx;
DROP INDEX durable_request_expires_at_idx;

-- Keeps the sums of store_use: no statement that adds or removes rows can forget them. Accounts are locked in the order of
-- their ids. The argument names the sum: 'requests' or 'responses'.
-- Triggers "count_added" and "count_removed" of durable_request, stored_response and conversation, and "count_updated" of
-- durable_request, once for each statement.
CREATE OR REPLACE FUNCTION count_kept_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, bytes)
      FROM (SELECT account_id, sum(bytes)::bigint AS bytes FROM added GROUP BY account_id ORDER BY account_id) AS sums;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, -bytes)
      FROM (SELECT account_id, sum(bytes)::bigint AS bytes FROM removed GROUP BY account_id ORDER BY account_id) AS sums;
  ELSE
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, bytes)
      FROM (
        SELECT account_id, sum(bytes)::bigint AS bytes FROM (
          SELECT account_id, bytes FROM added UNION ALL SELECT account_id, -bytes FROM removed) AS changes
        GROUP BY account_id HAVING sum(bytes) <> 0 ORDER BY account_id) AS sums;
  END IF;
  RETURN NULL;
END $$;

-- One change of the sums for each statement: requests that end together belong to one account.
DROP TRIGGER count_changed ON durable_request;
CREATE TRIGGER count_updated AFTER UPDATE ON durable_request REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('requests');
