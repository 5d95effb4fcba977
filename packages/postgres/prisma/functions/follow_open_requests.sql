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
