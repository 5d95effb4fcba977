-- Contents end with their key, however it ends: by its owner, with its member, its parent or its account.
-- Trigger "remove_contents" of api_key, when a key that keeps contents is revoked, or keeps them no longer.
CREATE OR REPLACE FUNCTION remove_contents_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM request_content WHERE key_id = NEW.id;
  RETURN NULL;
END $$;
