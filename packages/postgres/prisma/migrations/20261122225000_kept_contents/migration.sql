-- Prompts and answers of keys whose owners ask for it: sealed with a key of the account, for a day.
ALTER TABLE api_key ADD COLUMN keep_contents BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE content_key (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  sealed TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE request_content (
  request_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  sealed BYTEA NOT NULL,
  bytes INTEGER NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL
);
-- What is sealed looks random: another compression costs time and gains nothing.
ALTER TABLE request_content ALTER COLUMN sealed SET STORAGE EXTERNAL;

CREATE INDEX request_content_expires_at_idx ON request_content (expires_at);
CREATE INDEX request_content_key_id_idx ON request_content (key_id);

CREATE TRIGGER count_added AFTER INSERT ON request_content REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');
CREATE TRIGGER count_removed AFTER DELETE ON request_content REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

-- The definition is repeated in functions/, which is applied after the migrations.
CREATE OR REPLACE FUNCTION remove_contents_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM request_content WHERE key_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER remove_contents AFTER UPDATE OF revoked_at, keep_contents ON api_key
  FOR EACH ROW WHEN (OLD.keep_contents AND (NEW.revoked_at IS NOT NULL OR NOT NEW.keep_contents))
  EXECUTE FUNCTION remove_contents_of_key();
