-- What each account keeps in the store. Its row is locked by each change, so its limits are exact.
CREATE TABLE store_use (
  account_id TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  objects BIGINT NOT NULL,
  CONSTRAINT store_use_pkey PRIMARY KEY (account_id),
  CONSTRAINT store_use_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
    ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT store_use_check CHECK (bytes >= 0 AND objects >= 0)
);

-- A file of a customer, or a vendor's result. `due_at`: when a sweep looks at one that is not ready.
CREATE TABLE stored_object (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  purpose TEXT NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  status TEXT NOT NULL,
  due_at TIMESTAMPTZ(3) NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at TIMESTAMPTZ(3),
  CONSTRAINT stored_object_pkey PRIMARY KEY (id),
  CONSTRAINT stored_object_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
    ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT stored_object_status_check CHECK (status IN ('uploading', 'ready', 'deleted'))
);
CREATE INDEX stored_object_account_id_created_at_idx
  ON stored_object (account_id, is_test, created_at DESC, id DESC) WHERE status = 'ready';
CREATE INDEX stored_object_purpose_created_at_idx
  ON stored_object (account_id, is_test, purpose, created_at DESC, id DESC) WHERE status = 'ready';
CREATE INDEX stored_object_due_at_idx ON stored_object (due_at) WHERE status <> 'ready';
CREATE INDEX stored_object_expires_at_idx ON stored_object (expires_at) WHERE status = 'ready' AND expires_at IS NOT NULL;
