-- As count_kept_bytes(), for a row whose length changes.
-- Trigger "count_changed" of stored_response and conversation.
CREATE OR REPLACE FUNCTION change_kept_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_kept_bytes(TG_ARGV[0], NEW.account_id, (NEW.bytes - OLD.bytes)::bigint);
  RETURN NULL;
END $$;
