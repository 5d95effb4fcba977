-- An account's audit log has what names it and what turned out to mean it. For the second part the whole log was read, whoever asked:
-- 0.5 s of 500,000 entries.
CREATE INDEX IF NOT EXISTS "audit_outcome_account_id_entry_id_idx" ON "audit_outcome" ("account_id", "entry_id" DESC);
