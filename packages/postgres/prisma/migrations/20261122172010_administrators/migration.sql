-- Administrators with names: each has a token, or is a person whose session counts. Rows stay, because the audit log names them.
CREATE TABLE administrator (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  person_id TEXT REFERENCES person (id) ON DELETE RESTRICT,
  token_sha256 TEXT,
  created_by TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at TIMESTAMPTZ(3),
  CONSTRAINT administrator_can_sign_in CHECK (person_id IS NOT NULL OR token_sha256 IS NOT NULL)
);
CREATE UNIQUE INDEX administrator_token_sha256_key ON administrator (token_sha256);
CREATE UNIQUE INDEX administrator_name_in_use ON administrator (lower(name)) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX administrator_person_in_use ON administrator (person_id) WHERE revoked_at IS NULL;

-- An administrator's permission to read an account for some minutes. Rows stay as a record of who looked, and why.
CREATE TABLE account_view (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id) ON DELETE RESTRICT,
  administrator TEXT NOT NULL,
  reason TEXT NOT NULL,
  token_sha256 TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX account_view_token_sha256_key ON account_view (token_sha256);
