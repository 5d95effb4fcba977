-- Who did what. An entry is written before the thing is done, its outcome after it: nothing is done that is not in here,
-- and an entry without an outcome is one whose process died in between.
CREATE TABLE "audit_entry" (
  "id" BIGSERIAL NOT NULL,
  "actor" TEXT NOT NULL,
  "account_id" TEXT,
  "action" TEXT NOT NULL,
  "subject" TEXT,
  "details" JSONB NOT NULL,
  "ip" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "audit_entry_actor_is_known" CHECK ("actor" IN ('person', 'administrator', 'nobody'))
);

CREATE TABLE "audit_outcome" (
  "entry_id" BIGINT NOT NULL,
  "status" INT NOT NULL,
  "error_code" TEXT,
  "account_id" TEXT,
  "subject" TEXT,
  "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "audit_outcome_pkey" PRIMARY KEY ("entry_id")
);

ALTER TABLE "audit_outcome" ADD CONSTRAINT "audit_outcome_entry_id_fkey"
  FOREIGN KEY ("entry_id") REFERENCES "audit_entry"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
CREATE INDEX "audit_entry_account_id_id_idx" ON "audit_entry" ("account_id", "id" DESC);

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_outcome"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
