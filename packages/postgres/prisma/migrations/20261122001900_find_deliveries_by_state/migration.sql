-- A customer's deliveries of a state that is rare among theirs, however many they and others have of the rest.
CREATE INDEX IF NOT EXISTS "webhook_delivery_account_id_state_sequence_idx" ON "webhook_delivery" ("account_id", "state", "sequence" DESC);
-- What is due, without an entry for each delivery that has ended.
CREATE INDEX IF NOT EXISTS "webhook_delivery_due" ON "webhook_delivery" ("next_attempt_at") WHERE "state" = 'pending';
DROP INDEX "webhook_delivery_state_next_attempt_at_idx";
