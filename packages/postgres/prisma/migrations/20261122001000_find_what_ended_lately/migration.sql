-- Each round of the reconciler looks for tasks of the last day without a receipt. PostgreSQL 18 steps through the index by model for them;
-- the versions before it read every task that there ever was.
CREATE INDEX IF NOT EXISTS "video_task_ended" ON "video_task" ("finished_at") WHERE "finished_at" IS NOT NULL;
