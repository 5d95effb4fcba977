-- The least id from which on an account has only events that are not before a time: a search by halves, because the events of an
-- account have ids in the order of their times. p_account_id: null for the events of all accounts, whose order is right but for
-- milliseconds. Null: there are no events.
-- Called by replay_webhook_deliveries() and removeExpiredEvents().
CREATE OR REPLACE FUNCTION first_event_since(p_account_id text, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE
SET enable_seqscan = off AS $$
DECLARE
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_id bigint;
  v_at timestamptz;
BEGIN
  IF p_account_id IS NULL THEN
    SELECT min(id), max(id) + 1 INTO v_low, v_high FROM account_event;
  ELSE
    SELECT min(id), max(id) + 1 INTO v_low, v_high FROM account_event WHERE account_id = p_account_id;
  END IF;
  WHILE v_low < v_high LOOP
    v_middle := v_low + (v_high - v_low) / 2;
    IF p_account_id IS NULL THEN
      SELECT id, created_at INTO v_id, v_at FROM account_event WHERE id >= v_middle ORDER BY id LIMIT 1;
    ELSE
      SELECT id, created_at INTO v_id, v_at FROM account_event WHERE account_id = p_account_id AND id >= v_middle
        ORDER BY id LIMIT 1;
    END IF;
    IF v_at < p_at THEN
      v_low := v_id + 1;
    ELSE
      v_high := v_middle;
    END IF;
  END LOOP;
  RETURN v_low;
END $$;
