-- One task of an account is asked for by either of its names; what has ended is never changed again.
CREATE OR REPLACE FUNCTION refuse_task_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'video_task is kept: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  -- The ledger may still note with which entry it took a hold over that it has returned at once.
  IF is_final_task(OLD.state) AND (to_jsonb(NEW) - 'hold_entry_id') <> (to_jsonb(OLD) - 'hold_entry_id') THEN
    RAISE EXCEPTION 'video task % has ended: % refused', OLD.id, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
