-- What an account keeps in requests and responses, beside its files, and how long its results stay.
ALTER TABLE store_use
  ADD COLUMN request_bytes BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN response_bytes BIGINT NOT NULL DEFAULT 0,
  ADD CONSTRAINT store_use_kept_check CHECK (request_bytes >= 0 AND response_bytes >= 0);
ALTER TABLE durable_request ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account
  ADD COLUMN media_retention_days INTEGER,
  ADD COLUMN result_retention_hours INTEGER,
  ADD CONSTRAINT account_retention_check CHECK (media_retention_days > 0 AND result_retention_hours > 0);

-- A result whose customer deletes it before it is fetched.
ALTER TABLE fetched_result
  DROP CONSTRAINT fetched_result_status_check,
  ADD CONSTRAINT fetched_result_status_check CHECK (status IN ('pending', 'stored', 'passed_on', 'lost', 'deleted'));

-- Adds to what an account keeps in requests or in responses; a negative number takes away.
-- Called by count_kept_bytes() and change_kept_bytes().
CREATE OR REPLACE FUNCTION add_kept_bytes(p_kind text, p_account_id text, p_bytes bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO store_use AS used (account_id, bytes, objects, request_bytes, response_bytes)
    SELECT p_account_id, 0, 0, CASE p_kind WHEN 'requests' THEN added ELSE 0 END, CASE p_kind WHEN 'responses' THEN added ELSE 0 END
    FROM greatest(p_bytes, 0) AS added WHERE p_bytes <> 0
  ON CONFLICT (account_id) DO UPDATE SET
    request_bytes = used.request_bytes + CASE p_kind WHEN 'requests' THEN p_bytes ELSE 0 END,
    response_bytes = used.response_bytes + CASE p_kind WHEN 'responses' THEN p_bytes ELSE 0 END
$$;

-- Keeps the sums of store_use: no statement that adds or removes rows can forget them. Accounts are locked in the order of
-- their ids. The argument names the sum: 'requests' or 'responses'.
-- Triggers "count_added" and "count_removed" of durable_request, stored_response and conversation, once for each statement.
CREATE OR REPLACE FUNCTION count_kept_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, bytes)
      FROM (SELECT account_id, sum(bytes)::bigint AS bytes FROM added GROUP BY account_id ORDER BY account_id) AS sums;
  ELSE
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, -bytes)
      FROM (SELECT account_id, sum(bytes)::bigint AS bytes FROM removed GROUP BY account_id ORDER BY account_id) AS sums;
  END IF;
  RETURN NULL;
END $$;

-- As count_kept_bytes(), for a row whose length changes.
-- Trigger "count_changed" of durable_request, stored_response and conversation.
CREATE OR REPLACE FUNCTION change_kept_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_kept_bytes(TG_ARGV[0], NEW.account_id, (NEW.bytes - OLD.bytes)::bigint);
  RETURN NULL;
END $$;

LOCK TABLE stored_response, conversation IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO store_use AS used (account_id, bytes, objects, response_bytes)
  SELECT account_id, 0, 0, sum(bytes) FROM (
    SELECT account_id, bytes FROM stored_response UNION ALL SELECT account_id, bytes FROM conversation) AS kept
  GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET response_bytes = excluded.response_bytes;

CREATE TRIGGER count_added AFTER INSERT ON durable_request REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('requests');
CREATE TRIGGER count_removed AFTER DELETE ON durable_request REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('requests');
CREATE TRIGGER count_changed AFTER UPDATE OF bytes ON durable_request
  FOR EACH ROW WHEN (NEW.bytes IS DISTINCT FROM OLD.bytes) EXECUTE FUNCTION change_kept_bytes('requests');

CREATE TRIGGER count_added AFTER INSERT ON stored_response REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');
CREATE TRIGGER count_removed AFTER DELETE ON stored_response REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');
CREATE TRIGGER count_changed AFTER UPDATE OF bytes ON stored_response
  FOR EACH ROW WHEN (NEW.bytes IS DISTINCT FROM OLD.bytes) EXECUTE FUNCTION change_kept_bytes('responses');

CREATE TRIGGER count_added AFTER INSERT ON conversation REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');
CREATE TRIGGER count_removed AFTER DELETE ON conversation REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');
CREATE TRIGGER count_changed AFTER UPDATE OF bytes ON conversation
  FOR EACH ROW WHEN (NEW.bytes IS DISTINCT FROM OLD.bytes) EXECUTE FUNCTION change_kept_bytes('responses');
