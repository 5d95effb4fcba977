-- A page of a customer's tasks of a state or a model that is rare among them: every task that the customer ever
-- had was looked at, 0.18 s of 100,000.
CREATE INDEX IF NOT EXISTS "video_task_account_id_state_created_at_id_idx" ON "video_task" ("account_id", "state", "created_at" DESC, "id" DESC);
CREATE INDEX IF NOT EXISTS "video_task_account_id_model_created_at_id_idx" ON "video_task" ("account_id", "model", "created_at" DESC, "id" DESC);
-- The same for a test key, which sees what test keys made.
CREATE INDEX IF NOT EXISTS "video_task_of_tests" ON "video_task" ("account_id", "created_at" DESC, "id" DESC) WHERE "is_test";
