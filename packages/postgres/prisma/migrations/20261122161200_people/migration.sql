-- People beside accounts: an account is an organisation, and its members are people with roles. Each account so far becomes an
-- organisation of one. `account.password_hash` stays until the release that reads it is gone.

CREATE TABLE person (
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  password_hash TEXT,
  name TEXT NOT NULL DEFAULT '',
  locale TEXT NOT NULL DEFAULT 'en',
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  confirmed_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT person_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX person_email_key ON person (email);

CREATE TABLE member (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  role TEXT NOT NULL,
  caps JSONB NOT NULL DEFAULT '[]',
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  removed_at TIMESTAMPTZ(3),
  CONSTRAINT member_pkey PRIMARY KEY (id),
  CONSTRAINT member_role_is_known CHECK (role IN ('owner', 'developer', 'billing', 'viewer')),
  CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT member_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX member_account_id_person_id_key ON member (account_id, person_id);
CREATE INDEX member_person_id_idx ON member (person_id);

CREATE TABLE invitation (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  invited_by TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  accepted_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  CONSTRAINT invitation_pkey PRIMARY KEY (id),
  CONSTRAINT invitation_role_is_known CHECK (role IN ('owner', 'developer', 'billing', 'viewer')),
  CONSTRAINT invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES person(id) ON DELETE RESTRICT
);
CREATE INDEX invitation_account_id_created_at_idx ON invitation (account_id, created_at DESC);

-- The outbox, and the secrets of the links that it has sent. A secret is made when its mail is sent, and only its hash is kept.
CREATE TABLE mail (
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  locale TEXT NOT NULL,
  person_id TEXT,
  invitation_id TEXT,
  details JSONB NOT NULL DEFAULT '{}',
  secret_sha256s TEXT[] NOT NULL DEFAULT '{}',
  attempts INT NOT NULL DEFAULT 0,
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  last_error TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3) NOT NULL,
  used_at TIMESTAMPTZ(3),
  CONSTRAINT mail_pkey PRIMARY KEY (id),
  CONSTRAINT mail_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT mail_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitation(id) ON DELETE CASCADE
);
CREATE INDEX mail_due_at_idx ON mail (due_at);
CREATE INDEX mail_expires_at_idx ON mail (expires_at);
CREATE INDEX mail_person_id_kind_idx ON mail (person_id, kind);
CREATE INDEX mail_invitation_id_idx ON mail (invitation_id);

-- One person may own several organisations, each with this address for its notices.
DROP INDEX account_email_key;
CREATE INDEX account_email_idx ON account (email);
ALTER TABLE account ADD COLUMN name TEXT NOT NULL DEFAULT '', ADD COLUMN closed_at TIMESTAMPTZ(3);

INSERT INTO person (id, email, password_hash, confirmed_at, created_at, time_zone)
  SELECT 'psn_' || substr(id, 6), email, password_hash, created_at, created_at, time_zone FROM account;
INSERT INTO member (id, account_id, person_id, role, created_at)
  SELECT 'mem_' || substr(id, 6), id, 'psn_' || substr(id, 6), 'owner', created_at FROM account;

-- Null: a session that the release before has opened during the roll-out. Its person logs in once more.
ALTER TABLE session ADD COLUMN id TEXT NOT NULL DEFAULT 'ses_' || replace(gen_random_uuid()::text, '-', ''),
  ADD COLUMN person_id TEXT, ADD COLUMN user_agent TEXT NOT NULL DEFAULT '', ADD COLUMN ip TEXT NOT NULL DEFAULT '',
  ADD COLUMN last_seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ALTER COLUMN account_id DROP NOT NULL;
UPDATE session SET person_id = 'psn_' || substr(account_id, 6), last_seen_at = created_at;
ALTER TABLE session
  ADD CONSTRAINT session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE;
CREATE UNIQUE INDEX session_id_key ON session (id);
CREATE INDEX session_person_id_idx ON session (person_id);

-- Null: the organisation's own key.
ALTER TABLE api_key ADD COLUMN member_id TEXT,
  ADD CONSTRAINT api_key_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id) ON DELETE RESTRICT;
CREATE INDEX api_key_member_id_idx ON api_key (member_id);

ALTER TABLE audit_entry ADD COLUMN person_id TEXT, ADD COLUMN role TEXT, ADD COLUMN session_id TEXT,
  ADD COLUMN administrator TEXT;

-- prisma/functions/seed_member_caps.sql has the body.
CREATE FUNCTION seed_member_caps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER seed_caps AFTER UPDATE OF caps ON member
  FOR EACH ROW WHEN (OLD.caps IS DISTINCT FROM NEW.caps) EXECUTE FUNCTION seed_member_caps();
