-- What a poll has found, short of an end, and when the next one is due. A task that runs does not become queued again,
-- whatever its upstream says.
CREATE OR REPLACE FUNCTION note_video_poll(p_id text, p_version int, p_note jsonb, p_record jsonb) RETURNS SETOF video_task
LANGUAGE plpgsql AS $$
DECLARE
  v_task video_task%ROWTYPE;
  v_was_running boolean;
BEGIN
  SELECT state = 'running' INTO v_was_running FROM video_task WHERE id = p_id AND version = p_version FOR NO KEY UPDATE;
  UPDATE video_task SET version = version + 1,
      state = CASE WHEN state = 'queued' AND p_note->>'state' = 'running' THEN 'running' ELSE state END,
      started_at = coalesce(started_at, to_timestamp((p_note->>'startedAtMs')::numeric / 1000.0)),
      progress = greatest(progress, (p_note->>'progress')::int),
      upstream = coalesce(nullif(p_note->'upstream', 'null'), upstream),
      poll_failures = (p_note->>'failures')::int,
      doubts = (p_note->>'doubts')::int,
      doubted_at = CASE WHEN (p_note->>'doubts')::int = 0 THEN NULL ELSE coalesce(doubted_at, now()) END,
      poll_number = poll_number + 1, lease_until = NULL, lease_owner = NULL,
      next_poll_at = now() + (p_note->>'nextPollMs')::int * interval '1 millisecond'
    WHERE id = p_id AND version = p_version AND NOT is_final_task(state)
    RETURNING * INTO v_task;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF v_task.state = 'running' AND NOT v_was_running THEN
    PERFORM emit_event(v_task.account_id, 'video.task.running', v_task.id, p_record, v_task.webhook_url, v_task.is_test);
  END IF;
  RETURN NEXT v_task;
END $$;
