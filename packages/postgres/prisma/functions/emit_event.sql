-- As emit_events(), for one event. Returns its id.
-- p_webhook_url: a further address for types that are sent by default; null: none. A URL gets an event once.
-- Called by the statements that change tasks and batches, and by other functions.
CREATE OR REPLACE FUNCTION emit_event(
  p_account_id text, p_type text, p_subject text, p_data jsonb, p_webhook_url text, p_is_test boolean
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_ids bigint[] := emit_events(p_account_id,
    ARRAY[jsonb_build_object('type', p_type, 'subject', p_subject, 'data', p_data)], ARRAY[p_webhook_url],
    ARRAY[p_is_test]);
BEGIN
  RETURN v_ids[1];
END $$;
