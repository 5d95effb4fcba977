-- Rejects a change of a task that has ended, and the removal of any task.
-- Trigger "ended_is_final" of video_task.
CREATE OR REPLACE FUNCTION refuse_task_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'video_task is never deleted: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  -- The ledger may still record the event of a hold that it has returned at once.
  IF is_final_task(OLD.state) AND (to_jsonb(NEW) - 'hold_entry_id') <> (to_jsonb(OLD) - 'hold_entry_id') THEN
    RAISE EXCEPTION 'video task % has ended: % refused', OLD.id, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
