-- The few that are being submitted, beside the many that run: each sweep looks for those whose worker has died, and looked
-- through every task that was due. Building it makes those who change tasks wait for as long as one look at the table takes.
CREATE INDEX "video_task_submitting" ON "video_task" (coalesce("next_poll_at", "lease_until")) WHERE "state" = 'submitting';
