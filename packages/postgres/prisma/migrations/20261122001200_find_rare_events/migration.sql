-- Events of a type that is rare, or of test keys, among a customer's many: all that are kept were read, 0.15 s of 240,000.
CREATE INDEX IF NOT EXISTS "account_event_account_id_type_id_idx" ON "account_event" ("account_id", "type", "id");
CREATE INDEX IF NOT EXISTS "account_event_of_tests" ON "account_event" ("account_id", "id") WHERE "is_test";
