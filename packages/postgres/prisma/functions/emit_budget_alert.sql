-- Told at the commit, when every other lock has been taken: the lock of an account's events comes last. Whoever charges holds
-- the one balance of revenue until then, so that two who tell several accounts do not wait for each other in a circle.
CREATE OR REPLACE FUNCTION emit_budget_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM emit_event(NEW.account_id, NEW.type, coalesce(NEW.data->>'key_id', NEW.subject), NEW.data, NULL, false);
  RETURN NULL;
END $$;
