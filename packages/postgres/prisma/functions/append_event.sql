-- Stores an event and returns its id. An advisory lock makes the events of one account commit in the order of their ids.
-- So a reader that continues after an id misses none.
-- Called by emit_event_to_endpoint; emit_events() does the same for several.
CREATE OR REPLACE FUNCTION append_event(p_account_id text, p_type text, p_subject text, p_data jsonb, p_is_test boolean)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_event_id bigint;
BEGIN
  PERFORM 1 FROM account WHERE id = p_account_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'an event has an unknown account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  PERFORM pg_advisory_xact_lock(7236102, hashtext(p_account_id));
  INSERT INTO account_event (public_id, account_id, type, subject, data, is_test, created_at)
    VALUES (new_public_id('evt'), p_account_id, p_type, p_subject, p_data, p_is_test, clock_timestamp())
    RETURNING id INTO v_event_id;
  RETURN v_event_id;
END $$;
