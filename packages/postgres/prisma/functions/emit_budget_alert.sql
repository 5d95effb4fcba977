-- Emits the event of a budget alert at the commit, because the lock of an account's events is the last in the order.
-- A charge holds the balance of revenue until then, so two charges cannot deadlock on these locks.
-- Trigger "emit" of budget_alert (deferred).
CREATE OR REPLACE FUNCTION emit_budget_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM emit_event(NEW.account_id, NEW.type, 
    coalesce(NEW.data->>'key_id', NEW.data->>'member_id', NEW.data->>'account_id', NEW.subject), NEW.data, NULL, false);
  RETURN NULL;
END $$;
