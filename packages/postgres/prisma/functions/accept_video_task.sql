-- The upstream has taken the task: only after this commit may anybody be told so.
CREATE OR REPLACE FUNCTION accept_video_task(
  p_id text, p_version int, p_upstream_task_id text, p_public_id text, p_attempts jsonb, p_next_poll_ms int, p_record jsonb
) RETURNS SETOF video_task LANGUAGE plpgsql AS $$
DECLARE
  v_task video_task%ROWTYPE;
BEGIN
  UPDATE video_task SET state = 'queued', version = version + 1, upstream_task_id = p_upstream_task_id,
      public_id = p_public_id, attempts = p_attempts, submitted_at = now(), prompt = NULL, lease_until = NULL,
      lease_owner = NULL, doubts = 0, doubted_at = NULL, poll_failures = 0, poll_number = poll_number + 1,
      next_poll_at = now() + p_next_poll_ms * interval '1 millisecond'
    WHERE id = p_id AND version = p_version AND state IN ('submitting', 'submit_unknown')
    RETURNING * INTO v_task;
  IF FOUND THEN
    PERFORM emit_event(v_task.account_id, 'video.task.queued', v_task.id, p_record, v_task.webhook_url, v_task.is_test);
    RETURN NEXT v_task;
  END IF;
END $$;
