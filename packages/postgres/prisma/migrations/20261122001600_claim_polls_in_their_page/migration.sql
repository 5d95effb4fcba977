-- Whoever looks at a task claims it first, which changes its lease and nothing else. Two indexes had the lease in their expression,
-- so each claim wrote a new entry into all of them; now it writes into none. The release before sweeps more slowly meanwhile.
CREATE INDEX IF NOT EXISTS "video_task_open_by_next_poll" ON "video_task" ("next_poll_at") WHERE NOT is_final_task("state");
CREATE INDEX IF NOT EXISTS "video_task_being_submitted" ON "video_task" ("created_at") WHERE "state" = 'submitting';
DROP INDEX "video_task_open_by_poll";
DROP INDEX "video_task_submitting";
