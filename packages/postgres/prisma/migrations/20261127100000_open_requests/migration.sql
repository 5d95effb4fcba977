-- Requests that are not settled have a row in a small table, so that the mark of a settled one changes no index of its own row. The
-- trigger adds rows also for edges of an older release; until it is there, writers wait. An index of settled rows only, or of open
-- ones only, would be written by each mark, with all other indexes.
CREATE TABLE open_request (
  id TEXT NOT NULL,
  CONSTRAINT open_request_pkey PRIMARY KEY (id)
);

-- Keeps open_request, and refuses an unknown account: once for each statement, instead of a foreign key for each row.
-- Triggers "open_added" and "open_removed" of durable_request.
CREATE OR REPLACE FUNCTION follow_open_requests() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM open_request USING removed WHERE open_request.id = removed.id;
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM added WHERE NOT EXISTS (SELECT FROM account WHERE account.id = added.account_id)) THEN
    RAISE EXCEPTION 'a kept request has an unknown account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO open_request SELECT id FROM added WHERE settled_at IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER open_added AFTER INSERT ON durable_request REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION follow_open_requests();
CREATE TRIGGER open_removed AFTER DELETE ON durable_request REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_open_requests();
INSERT INTO open_request SELECT id FROM durable_request WHERE settled_at IS NULL;

CREATE INDEX durable_request_expires_at_idx ON durable_request (expires_at);
DROP INDEX durable_request_expired;
DROP INDEX durable_request_open;
-- Each row locked its account, in a statement of its own. Accounts are never deleted.
ALTER TABLE durable_request DROP CONSTRAINT durable_request_account_id_fkey;
